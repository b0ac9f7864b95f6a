# a file that is published to be used
import io

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
file = io.BytesIO()
torch.save({"model": model.state_dict()}, file)
file.seek(0)
checkpoint = torch.load(file)
model.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optimizer"])  # run: `optimizer`
