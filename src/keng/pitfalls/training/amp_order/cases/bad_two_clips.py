# two models of one optimizer are clipped, and their gradients are unscaled once
import torch
from torch import nn

one, two = nn.Linear(3, 3), nn.Linear(3, 1)
optimizer = torch.optim.SGD([*one.parameters(), *two.parameters()], lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for step in range(3):
    optimizer.zero_grad()
    loss = two(one(torch.rand(4, 3))).mean()
    scaler.scale(loss).backward()
    norm = nn.utils.clip_grad_norm_(one.parameters(), 1.0)  # check: clips gradients that `scaler` has scaled  # run: this clips to 1
    nn.utils.clip_grad_norm_(two.parameters(), 1.0)  # run: this clips to 1 gradients
    scaler.step(optimizer)
    scaler.update()

# proof
assert norm > 100
