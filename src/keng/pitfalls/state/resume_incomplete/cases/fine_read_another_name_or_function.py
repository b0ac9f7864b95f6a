# read by another name, or by a function of its own
import io

import torch
from torch import nn


def resume(saved):
    optimizer.load_state_dict(saved["optimizer"])


model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
file = io.BytesIO()
torch.save({"epoch": 1, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
for read in range(2):
    file.seek(0)
    checkpoint = torch.load(file, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    start = checkpoint["epoch"]
    if read:
        resume(checkpoint)
    else:
        optimizer.load_state_dict(checkpoint["optimizer"])
