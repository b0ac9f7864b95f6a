# printed, tested, or changed on purpose
import torch
from torch import nn


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.layer = nn.Linear(4, 4)
        self.history = []

    def forward(self, x):
        if self.scale.item() > 10:
            raise ValueError(f"the scale is {self.scale.item():.1f}")
        self.scale.data.clamp_(min=0)
        self.history.append(self.scale.item())
        assert float(self.scale) < 10
        with torch.no_grad():
            shown = x * self.scale.item()
        if not self.training:
            return self.layer(x) * self.scale.item()
        lengths = torch.tensor([row.shape[0] for row in x])
        width = torch.tensor(self.layer(x).size(-1))
        x = x / (self.scale.data.detach() + 1)
        return self.layer(x) * self.scale


model = Watched()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    model(torch.randn(2, 4)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
