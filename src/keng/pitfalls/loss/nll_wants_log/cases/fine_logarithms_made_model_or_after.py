# logarithms computed in the model or after it; outputs that are not scores
import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.out = nn.Linear(8, 8), nn.Linear(8, 3)

    def forward(self, x):
        return F.log_softmax(self.out(F.relu(self.body(x))), dim=1)


torch.manual_seed(0)
model, layer, ends = Classifier(), nn.Linear(8, 3), nn.LogSoftmax(dim=1)
x, y = torch.randn(16, 8), torch.randint(3, (16,))
criterion = nn.NLLLoss()
criterion(model(x), y).backward()
criterion(ends(layer(x)), y).backward()
criterion(nn.Sequential(layer, ends)(x), y).backward()
F.nll_loss((F.softmax(layer(x), dim=1) + 1e-8).log(), y).backward()
centres = nn.Parameter(torch.randn(3, 8))
densities = torch.distributions.Normal(centres, 0.1).log_prob(x[:, None]).sum(2)
F.nll_loss(densities, y).backward()
