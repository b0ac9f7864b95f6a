# several passes over one batch; one target at a time; labels that are all ones, of a GAN
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model, ones = nn.Linear(4, 1), torch.ones(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(4):
    x, y = torch.randn(8, 4), torch.randn(8, 1)
    optimizer.zero_grad()
    for draw in range(3):
        F.mse_loss(model(x + 0.1 * torch.randn_like(x)), y).backward()
    optimizer.step()
for episode in range(4):
    optimizer.zero_grad()
    for x, wanted in zip(torch.randn(5, 4), torch.randn(5)):
        F.mse_loss(model(x).squeeze(), wanted).backward()
    optimizer.step()
for step in range(4):
    optimizer.zero_grad()
    for scale in (1.0, 0.5):
        F.binary_cross_entropy_with_logits(model(scale * torch.randn(8, 4)), ones).backward()
    optimizer.step()
