# mixed labels; pseudo labels that move; two tasks on the same rows; noise; rows drawn with replacement
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x, y = torch.randn(64, 6), torch.randint(4, (64,))
task = torch.randint(4, (64,))


def train(*losses):
    net = nn.Linear(6, 4)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(5):
        for rows in torch.randperm(64).split(16):
            for loss in losses:
                optimizer.zero_grad()
                loss(net, rows).backward()
                optimizer.step()


def mixed(net, rows):
    out, partners = net(x[rows]), rows[torch.randperm(len(rows))]
    return 0.7 * F.cross_entropy(out, y[rows]) + 0.3 * F.cross_entropy(out, y[partners])


def pseudo(net, rows):
    out = net(x[rows])
    return F.mse_loss(out, out.detach().softmax(-1))


def noisy(net, rows):
    return F.mse_loss(net(x[rows]), x[rows, :4] + 0.1 * torch.randn(len(rows), 4))


def one(net, rows):
    return F.cross_entropy(net(x[rows]), y[rows])


def other(net, rows):
    return F.cross_entropy(net(x[rows]), task[rows])


def drawn(net, rows):
    labels = y if torch.rand(()) < 0.5 else task
    rows = torch.randint(64, (16,))
    return F.cross_entropy(net(x[rows]), labels[rows])


for losses in ((mixed,), (pseudo,), (one, other), (noisy,), (drawn,)):
    train(*losses)
