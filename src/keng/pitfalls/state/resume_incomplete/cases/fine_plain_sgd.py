# plain SGD
import io

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
file = io.BytesIO()
torch.save({"epoch": 1, "model": model.state_dict()}, file)
file.seek(0)
checkpoint = torch.load(file, map_location="cpu")
model.load_state_dict(checkpoint["model"])
start = checkpoint["epoch"]
