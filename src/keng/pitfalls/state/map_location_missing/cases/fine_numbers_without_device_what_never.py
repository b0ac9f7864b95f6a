# numbers without a device, and a buffer in this process's memory
import io

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
torch.save(scheduler.state_dict(), "scheduler.pt")
scheduler.load_state_dict(torch.load("scheduler.pt"))
kept = io.BytesIO()
torch.save(model.state_dict(), kept)
kept.seek(0)
model.load_state_dict(torch.load(kept))
