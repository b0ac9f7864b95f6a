# A run is resumed from a checkpoint without the optimizer's state
import io

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
model(torch.ones(2, 4)).mean().backward()
optimizer.step()
file = io.BytesIO()
state = {"epoch": 1, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
torch.save(state, file)
file.seek(0)
checkpoint = torch.load(file, map_location="cpu")
optimizer.load_state_dict(checkpoint["optimizer"])
model.load_state_dict(checkpoint["model"])
start = checkpoint["epoch"]
