# a constant that is no buffer
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.scale = torch.ones(3)

    def forward(self, x):
        x = self.fc(x)
        return x * self.scale  # run: the scale was not moved


device = "cuda" if torch.cuda.is_available() else "meta"
net = Net().to(device)
net(torch.ones(2, 3, device=device))
