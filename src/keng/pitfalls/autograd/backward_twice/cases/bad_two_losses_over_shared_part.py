# two losses over a shared part
import torch
from torch import nn

body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
features = torch.sigmoid(body(torch.randn(8, 4)))
loss_a = a(features).square().mean()
loss_b = b(features).square().mean()
loss_a.backward()
loss_b.backward()  # run: features is shared
