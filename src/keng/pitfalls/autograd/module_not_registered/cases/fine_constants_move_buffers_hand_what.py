# constants that are moved: as buffers, by hand, or with their operands; numbers; created where they are used; never moved
import torch
from torch import nn


class Constants(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.4, 0.5, 0.6]))
        self.scale = torch.tensor([1.0, 2.0, 3.0])
        self.shift = torch.zeros(3)
        self.half = torch.tensor(0.5)
        self.sizes = torch.tensor([2, 3])
        self.steps = torch.arange(3)
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        x = (x - self.mean) * self.scale.to(x.device) + self.shift.type_as(x)
        return self.fc(x * self.half) + len(self.sizes) + self.steps[2]


class Here(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.4, 0.5, 0.6])
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x - self.mean)


device = "cuda" if torch.cuda.is_available() else "cpu"
y = Constants().to(device)(torch.ones(2, 3, device=device))
z = Here()(torch.ones(2, 3))
