# the bound is scaled as the gradients are
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for x in torch.randn(4, 8, 4):
    optimizer.zero_grad()
    scaler.scale(model(x).square().mean()).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.5 * scaler.get_scale())
    scaler.step(optimizer)
    scaler.update()
