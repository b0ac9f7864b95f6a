# settings are left at their defaults and come from the checkpoint; one is set again after the load
import torch
from torch import nn

x, y = torch.randn(32, 4), torch.randn(32, 1)


def train(checkpoint=None, decay=0.0, **settings):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, weight_decay=decay, **settings)
    if checkpoint:
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        for group in optimizer.param_groups:
            group["weight_decay"] = decay
    for _ in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {"model": model.state_dict(), "optimizer": optimizer.state_dict()}


train(train(decay=0.05, momentum=0.9, nesterov=True), decay=0.1)
