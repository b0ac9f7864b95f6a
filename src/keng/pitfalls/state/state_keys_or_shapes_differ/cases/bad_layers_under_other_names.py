# layers under other names
from torch import nn

saved = nn.ModuleDict({"encoder": nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))})
model = nn.ModuleDict({"blocks": nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))})
model.load_state_dict(saved.state_dict())  # run: what the file calls encoder are blocks here
