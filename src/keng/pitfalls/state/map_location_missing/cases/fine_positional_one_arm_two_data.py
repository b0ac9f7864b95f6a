# passed by position, in one of two branches, and data that is not a checkpoint
import io

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model = nn.Linear(4, 2)
state = torch.load(file, device)
model.load_state_dict(state)
file.seek(0)
if device.type == "cuda":
    state = torch.load(file, map_location=device)
else:
    state = torch.load(file)
model.load_state_dict(state)
data = io.BytesIO()
torch.save(torch.ones(3), data)
data.seek(0)
x = torch.load(data)
