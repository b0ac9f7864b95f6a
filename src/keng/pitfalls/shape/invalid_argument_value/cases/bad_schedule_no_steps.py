# a schedule of no steps
import torch
from torch import nn

optimizer = torch.optim.Adam(nn.Linear(2, 2).parameters(), lr=0.1)
steps = len([]) * 3
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=steps)  # run: `got 0`
