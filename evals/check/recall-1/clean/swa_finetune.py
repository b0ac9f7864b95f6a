import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

x, y = torch.randn(256, 10), torch.randint(0, 2, (256,))
train = DataLoader(TensorDataset(x, y), 32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 2))


def freeze(m, upto):
    for i, layer in enumerate(m):
        flag = i >= upto
        for p in layer.parameters():
            p.requires_grad = flag


freeze(model, 3)
opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
for phase in ('head', 'all'):
    if phase == 'all':
        freeze(model, 0)
        opt = torch.optim.SGD(model.parameters(), lr=0.01, weight_decay=1e-4)
    for epoch in range(2):
        if phase == 'head':
            model.eval()
        else:
            model.train()
        for xb, yb in train:
            opt.zero_grad()
            nn.functional.cross_entropy(model(xb), yb).backward()
            opt.step()

avg = AveragedModel(model)
sched = SWALR(opt, swa_lr=0.005)
for epoch in range(3):
    model.train()
    for xb, yb in train:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    avg.update_parameters(model)
    sched.step()
update_bn(train, avg)
avg.eval()
with torch.no_grad():
    print((avg(x).argmax(1) == y).float().mean())
torch.save(avg.module.state_dict(), 'swa.pt')
