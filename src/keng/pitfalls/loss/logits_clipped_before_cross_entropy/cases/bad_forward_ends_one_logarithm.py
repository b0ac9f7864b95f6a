# a forward that ends in one, and its logarithm
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return F.log_softmax(x, dim=1)


torch.manual_seed(0)
net = Net()
with torch.no_grad():
    net.fc2.bias.fill_(-5.0)
output = net(torch.randn(16, 4))
loss = F.nll_loss(output, torch.randint(3, (16,)))  # check: `output` has passed `relu`
loss.backward()

# proof
assert net.fc2.weight.grad.abs().sum() == 0
