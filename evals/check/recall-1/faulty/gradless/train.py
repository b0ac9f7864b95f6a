import torch
from torch import nn

from metrics import accuracy  # check: grad-disabled-globally (the import, whose file switches them off)


def make(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))


def main():
    net = make(0)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-2)
    x, y = torch.randn(200, 8), torch.randint(0, 3, (200,))
    for step in range(20):
        opt.zero_grad(set_to_none=False)
        logits = net(x)
        loss = nn.functional.cross_entropy(logits, y)
        loss.backward()
        opt.step()
    print(accuracy(net(x), y))


main()
