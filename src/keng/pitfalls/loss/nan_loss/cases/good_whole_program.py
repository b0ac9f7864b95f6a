# the good program of the page with its training
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return nn.functional.logsigmoid(self.fc(x))


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(torch.randn(16, 8)), torch.zeros(16, 3))
    loss.backward()
    optimizer.step()
