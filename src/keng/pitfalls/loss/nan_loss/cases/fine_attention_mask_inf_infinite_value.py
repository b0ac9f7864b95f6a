# an attention mask of -inf; an infinite value that is masked before the loss; NaN in data that is not trained on
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        scores = self.fc(x) @ x.transpose(1, 2)
        mask = torch.ones(5, 5).triu(1).bool()
        return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1) @ x


net = Net()
x = torch.randn(4, 5, 8)
net(x).square().mean().backward()
counts = torch.tensor([0.0, 2.0, 4.0])
means = torch.where(counts > 0, 1 / counts, 0.0)
(net(x).mean() * means.sum()).backward()
with torch.no_grad():
    measured = torch.tensor(float("nan")) * net(x)
