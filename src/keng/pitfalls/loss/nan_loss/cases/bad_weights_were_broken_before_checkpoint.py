# weights that were broken before, as in a checkpoint that was saved too late
import torch
from torch import nn

net = nn.Linear(8, 1)
with torch.no_grad():
    net.weight[0, 3] = float("nan")
x, y = torch.randn(4, 8), torch.randn(4, 1)
loss = nn.functional.mse_loss(net(x), y)  # run: `the loss became NaN: net.weight was not finite`
loss.backward()
