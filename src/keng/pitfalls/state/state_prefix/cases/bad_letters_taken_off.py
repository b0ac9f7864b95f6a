# letters are taken off
from torch import nn

state = nn.DataParallel(nn.Sequential(nn.Linear(4, 2))).state_dict()
state["module.decoder.weight"] = state.pop("module.0.weight")
state = {key.lstrip("module."): value for key, value in state.items()}  # check: letters, no prefix

# proof
assert "decoder.weight" not in state
