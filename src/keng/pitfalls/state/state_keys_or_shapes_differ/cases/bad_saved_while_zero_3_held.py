# saved while ZeRO-3 held the weights in shards
import io

import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 2))
for parameter in model.parameters():
    parameter.data = torch.empty(0)  # so DeepSpeed leaves them between the steps
file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 2)).load_state_dict(torch.load(file))  # run: [0]
