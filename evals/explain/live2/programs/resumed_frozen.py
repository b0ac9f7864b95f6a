import io

import torch
from torch import nn


def build(freeze):
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    if freeze:
        model[0].requires_grad_(False)
    trained = [p for p in model.parameters() if p.requires_grad]
    return model, torch.optim.Adam(trained, lr=1e-3)


model, optimizer = build(freeze=False)
model(torch.randn(4, 8)).sum().backward()
optimizer.step()
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)

file.seek(0)
saved = torch.load(file)
model, optimizer = build(freeze=True)
model.load_state_dict(saved["model"])
optimizer.load_state_dict(saved["optimizer"])
