# a constant that stays where it was made
import torch
from torch import nn


class Normalized(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.4, 0.5, 0.6])  # check: does not move
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x - self.mean)


device = "cuda" if torch.cuda.is_available() else "meta"
net = Normalized().to(device)

# proof
assert net.mean.device != net.fc.weight.device
