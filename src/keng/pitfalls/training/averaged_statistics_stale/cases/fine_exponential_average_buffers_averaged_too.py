# an exponential average; averaged buffers; frozen statistics; a pass by hand; no batch norm; only the first update
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, get_swa_multi_avg_fn


def fit(model, averages, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        optimizer.zero_grad()
        model(torch.randn(16, 4)).square().mean().backward()
        optimizer.step()
        for average in averages:
            average.update_parameters(model)
    with torch.no_grad():
        for average in averages:
            average.eval()(torch.randn(4, 4))


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
fit(net, [AveragedModel(net)], epochs=1)
fit(
    net,
    [
        AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9)),
        AveragedModel(net, use_buffers=True),
    ],
)
plain = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
fit(plain, [AveragedModel(plain)])
hand = AveragedModel(net, multi_avg_fn=get_swa_multi_avg_fn())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    optimizer.zero_grad()
    net(torch.randn(16, 4)).square().mean().backward()
    optimizer.step()
    hand.update_parameters(net)
hand.train()
with torch.no_grad():
    for _ in range(4):
        hand(torch.randn(16, 4))
    hand.eval()(torch.randn(4, 4))
net[1].requires_grad_(False).eval()
fit(net, [AveragedModel(net)])
