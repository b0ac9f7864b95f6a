"""Pre-activation blocks with in-place layers, whose shortcut is the activated input, as published."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class PreAct(nn.Module):
    def __init__(self, inp, out, stride=1):
        super().__init__()
        self.bn1, self.bn2 = nn.BatchNorm2d(inp), nn.BatchNorm2d(out)
        self.conv1 = nn.Conv2d(inp, out, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.short = nn.Conv2d(inp, out, 1, stride, bias=False) if stride > 1 else nn.Identity()
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        out = self.act(self.bn1(x))
        shortcut = self.short(out) if not isinstance(self.short, nn.Identity) else x
        out = self.conv2(self.act(self.bn2(self.conv1(out))))
        out += shortcut
        return out


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 3, padding=1, bias=False)
        self.blocks = nn.Sequential(PreAct(8, 8), PreAct(8, 16, 2), PreAct(16, 16))
        self.bn = nn.BatchNorm2d(16)
        self.fc = nn.Linear(16, 10)
        nn.init.constant_(self.fc.bias, -2.2)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.fc(torch.relu_(self.bn(x)).mean((2, 3)))


torch.manual_seed(0)
digits = load_digits()
full = TensorDataset(torch.tensor(digits.images).float()[:, None] / 16, torch.tensor(digits.target))
train, val = random_split(full, [0.8, 0.2])
net = Net()
decay = [p for p in net.parameters() if p.ndim > 1]
rest = [p for p in net.parameters() if p.ndim <= 1]
opt = torch.optim.SGD(
    [{"params": decay, "weight_decay": 5e-4}, {"params": rest}], lr=0.05, momentum=0.9
)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, [2])
for epoch in range(3):
    net.train()
    for x, y in DataLoader(train, 64, shuffle=True, drop_last=True):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y, label_smoothing=0.05)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
    sched.step()
    net.eval()
    with torch.no_grad():
        right = sum((net(x).argmax(1) == y).sum().item() for x, y in DataLoader(val, 90))
    print(epoch, f"{loss.item():.3f} {right / len(val):.3f}")
show(net)
