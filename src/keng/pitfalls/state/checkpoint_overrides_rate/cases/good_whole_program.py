# the rate is set after the load
import torch
from torch import nn

x, y = torch.randn(32, 4), torch.randn(32, 1)


def train(lr, checkpoint=None):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    if checkpoint:
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        for group in optimizer.param_groups:
            group["lr"] = lr
    for _ in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {"model": model.state_dict(), "optimizer": optimizer.state_dict()}


train(lr=0.0001, checkpoint=train(lr=0.01))
