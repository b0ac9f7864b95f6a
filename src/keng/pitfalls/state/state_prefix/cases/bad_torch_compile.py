# torch.compile
import io

import torch
from torch import nn

model = torch.compile(nn.Linear(4, 2))
file = io.BytesIO()
torch.save({"epoch": 1, "weights": model.state_dict()}, file)  # check: `_orig_mod.`
file.seek(0)
state = torch.load(file, map_location="cpu")
nn.Linear(4, 2).load_state_dict(state["weights"])
