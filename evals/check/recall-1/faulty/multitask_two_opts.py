import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 24), nn.ReLU())
        self.age = nn.Linear(24, 1)
        self.sex = nn.Linear(24, 2)

    def forward(self, x):
        h = self.trunk(x)
        return self.age(h), self.sex(h)


class Learner:
    def __init__(self, net):
        self.net = net
        self.opt_trunk = torch.optim.Adam(net.trunk.parameters(), lr=1e-3)
        self.opt_heads = torch.optim.SGD([*net.age.parameters(), *net.sex.parameters()], lr=1e-2)
        self.mse, self.ce = nn.MSELoss(), nn.CrossEntropyLoss()

    def learn(self, x, age, sex):
        self.opt_trunk.zero_grad()
        pa, ps = self.net(x)
        loss = self.mse(pa, age) + self.ce(ps, sex)
        loss.backward()
        self.opt_trunk.step()
        self.opt_heads.step()  # check: zero-grad-missing
        return loss.item()

    def score(self, loader):
        self.net.eval()
        err = 0
        for x, age, sex in loader:
            pa, ps = self.net(x)  # check: validation-records-gradients
            err += (pa - age).abs().mean()  # check: loss-keeps-graph
        self.net.train()
        return err / len(loader)


n = 240
ds = TensorDataset(torch.randn(n, 12), torch.rand(n, 1), torch.randint(0, 2, (n,)))
learner = Learner(MultiTask())
for epoch in range(2):
    for batch in DataLoader(ds, 32, shuffle=True):
        last = learner.learn(*batch)
    print(epoch, last, learner.score(DataLoader(ds, 64)))
