import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 64)
        self.b = nn.Linear(64, 64)
        self.c = nn.Linear(64, 2)

    def forward(self, x, sample=False):
        on = self.training or sample
        x = F.dropout(F.relu(self.a(x)), 0.1, training=on)
        x = F.dropout(F.relu(self.b(x)), 0.1, training=on)
        mean, log_var = self.c(x).unbind(-1)
        return mean, log_var.clamp(-6, 6)


def gaussian_nll(mean, log_var, y):
    return 0.5 * (log_var + (y - mean) ** 2 / log_var.exp()).mean()


def enable_dropout(model):
    for m in model.modules():
        if m.__class__.__name__.startswith('Dropout'):
            m.train()


@torch.no_grad()
def uncertainty(model, x, n=20):
    model.eval()
    enable_dropout(model)
    draws = torch.stack([model(x, sample=True)[0] for _ in range(n)])
    return draws.mean(0), draws.std(0)


x = torch.rand(256, 3)
y = (x.sum(1) * 3).sin() + 0.05 * torch.randn(256)
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(20):
    net.train()
    order = torch.randperm(256)
    for idx in order.split(64):
        mean, log_var = net(x[idx])
        loss = gaussian_nll(mean, log_var, y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if torch.isnan(loss):
        raise FloatingPointError('loss is nan')
    if epoch % 5 == 0:
        m, s = uncertainty(net, x[:8])
        print(epoch, loss.item(), s.mean().item())
