# in a model that is trained
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return torch.log(torch.softmax(self.fc(x), dim=1))  # check: rounds to log 0


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.nll_loss(net(torch.randn(16, 8)), torch.randint(3, (16,)))
    loss.backward()
    optimizer.step()
