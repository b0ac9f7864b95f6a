# frozen before the optimizer is created; frozen briefly; zeros with nothing frozen; no decay and no momentum
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
model[0].requires_grad_(False)
trained = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(trained, lr=0.01)
for step in range(6):
    optimizer.zero_grad(set_to_none=False)
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
for step in range(6):
    for p in model[1].parameters():
        p.requires_grad = False
    for p in model[1].parameters():
        p.requires_grad = True
    optimizer.zero_grad(set_to_none=False)
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
plain = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
optimizer = torch.optim.SGD(plain.parameters(), lr=0.01)
for step in range(6):
    if step == 3:
        plain[0].requires_grad_(False)
    optimizer.zero_grad(set_to_none=False)
    plain(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
