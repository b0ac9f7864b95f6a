# a learning rate that bfloat16 can represent; frozen weights; a rate of 0
import torch
from torch import nn

torch.manual_seed(0)
for rate, frozen in ((1e-2, False), (1e-5, True), (0.0, False)):
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU()).to(torch.bfloat16).requires_grad_(not frozen)
    head = nn.Linear(64, 1)
    groups = [{"params": model.parameters(), "lr": rate}, {"params": head.parameters()}]
    optimizer = torch.optim.AdamW(groups, lr=1e-3)
    for _ in range(60):
        x = torch.randn(32, 16)
        optimizer.zero_grad()
        nn.functional.mse_loss(head(model(x.bfloat16()).float()), x.sum(1, keepdim=True)).backward()
        optimizer.step()
