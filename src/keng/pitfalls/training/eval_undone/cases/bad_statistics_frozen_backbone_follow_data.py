# the statistics of a frozen backbone follow the data
import torch
from torch import nn


def backbone():
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())


class Classifier(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body.eval()
        for parameter in self.body.parameters():
            parameter.requires_grad = False
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x).mean((2, 3)))


def train_one_epoch(net, optimizer, batches):
    net.train()  # check: its body, too
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


plain, net = nn.Sequential(nn.Flatten(), nn.Linear(192, 2)), Classifier(backbone())
before = net.body[1].running_mean.clone()
batches = [(torch.randn(4, 3, 8, 8), torch.randint(2, (4,))) for _ in range(2)]
train_one_epoch(plain, torch.optim.SGD(plain.parameters(), lr=0.1), batches)
train_one_epoch(net, torch.optim.SGD(net.head.parameters(), lr=0.1), batches)

# proof
assert not torch.equal(net.body[1].running_mean, before)
