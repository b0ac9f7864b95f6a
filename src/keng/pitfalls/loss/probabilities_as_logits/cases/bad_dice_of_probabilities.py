# a Dice loss of each class takes the sigmoid of what went through a softmax
import torch
from torch import nn


def dice(scores, target):
    chances = torch.sigmoid(scores)  # run: a sigmoid is applied to what a softmax has made
    overlap = (chances * target).sum((1, 2))
    return 1 - (2 * overlap / (chances + target).sum((1, 2))).mean()


def loss_of(scores, target):
    shares = scores.softmax(1)
    return sum(dice(shares[:, i], target[:, i]) for i in range(3)) / 3


torch.manual_seed(0)
model = nn.Conv2d(1, 3, 3, padding=1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(6):
    target = nn.functional.one_hot(torch.randint(3, (4, 8, 8)), 3).permute(0, 3, 1, 2).float()
    loss = loss_of(model(torch.randn(4, 1, 8, 8)), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
assert torch.sigmoid(torch.tensor([0.0, 1.0])).max() < 0.74
