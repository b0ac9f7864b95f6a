import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts, OneCycleLR, ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset

EPOCHS, ACCUM = 3, 2
data = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
loader = DataLoader(data, 8, shuffle=True)


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        layers = []
        for i, o in ((6, 16), (16, 16)):
            layers += [nn.Linear(i, o), nn.ReLU()]
        self.depth = len(layers)
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(self.body(x))


class Runner:
    def __init__(self, net):
        self.net = net
        self.body_opt = torch.optim.AdamW(net.body.parameters(), 1e-3)
        self.head_opt = torch.optim.SGD(net.head.parameters(), 1e-2)
        self.cycle = OneCycleLR(self.body_opt, 1e-2, total_steps=EPOCHS * len(loader) // ACCUM)
        self.plateau = ReduceLROnPlateau(self.head_opt, patience=1)

    def clear(self):
        self.body_opt.zero_grad()
        self.head_opt.zero_grad()

    def epoch(self):
        total = 0.0
        self.clear()
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(self.net(x), y) / ACCUM
            loss.backward()
            total += loss.item()
            if (i + 1) % ACCUM == 0:
                self.body_opt.step()
                self.head_opt.step()
                self.cycle.step()
                self.clear()
        return total / len(loader)

    def fit(self):
        for _ in range(EPOCHS):
            loss = self.epoch()
            self.plateau.step(loss)
        return loss


print(Runner(Two()).fit())

net = Two()
opt = torch.optim.SGD(net.parameters(), 0.1)
restarts = CosineAnnealingWarmRestarts(opt, 2)
by_epoch = OneCycleLR(opt, 0.1, total_steps=10)
for epoch in range(EPOCHS):
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
        restarts.step(epoch + i / len(loader))
    by_epoch.step()
