# pixels that `ignore_index` skips; a regression
import torch
from torch import nn

model = nn.Linear(8, 3)
labels = torch.tensor([0, 2, 255, -100])
loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), labels.clamp(max=254) % 254 % 3)
loss = nn.functional.cross_entropy(
    model(torch.randn(3, 8)), torch.tensor([0, 2, 255]), ignore_index=255
)
loss = nn.functional.mse_loss(model(torch.randn(2, 8)), torch.full((2, 3), 5.0))
