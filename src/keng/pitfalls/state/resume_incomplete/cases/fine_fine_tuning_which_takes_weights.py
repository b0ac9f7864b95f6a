# fine-tuning, which takes the weights alone; only looked at
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters())
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}, file)

file.seek(0)
model.load_state_dict(torch.load(file)["model"])
tuner = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(4):
    tuner.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    tuner.step()
