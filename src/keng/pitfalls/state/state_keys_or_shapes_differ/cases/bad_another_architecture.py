# another architecture
from torch import nn

saved = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 2))
model = nn.Sequential(nn.Linear(8, 4))
model.load_state_dict(saved.state_dict())  # run: the file has a layer more
