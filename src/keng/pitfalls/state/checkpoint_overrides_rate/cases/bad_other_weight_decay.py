# the weight decay that the second stage was given
import torch
from torch import nn

x, y = torch.randn(32, 4), torch.randn(32, 1)


def train(decay, checkpoint=None):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=decay)
    if checkpoint:
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])  # run: created with `weight_decay=0.2`
    for _ in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {"model": model.state_dict(), "optimizer": optimizer.state_dict()}


train(0.2, checkpoint=train(0.05))
