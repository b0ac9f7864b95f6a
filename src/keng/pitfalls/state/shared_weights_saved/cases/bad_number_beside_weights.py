# a number beside the weights
import tempfile

from safetensors.torch import save_file
from torch import nn

state = {**nn.Linear(2, 2).state_dict(), "epoch": 3}
save_file(state, tempfile.mkdtemp() + "/model.safetensors")  # run: `epoch`
