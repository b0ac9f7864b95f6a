# a larger last batch; more than one spatial position; no batch norm; eval mode
import torch
from torch import nn
from torch.utils.data import DataLoader

net = nn.Sequential(nn.Linear(8, 4), nn.BatchNorm1d(4))
maps = nn.Sequential(nn.Conv2d(1, 4, 3, bias=False), nn.BatchNorm2d(4))
plain = nn.Sequential(nn.Linear(8, 4), nn.LayerNorm(4))
for x in DataLoader(torch.randn(10, 8), batch_size=4):
    y = net(x)
for x in DataLoader(torch.randn(9, 8), batch_size=4):
    y = plain(x)
for x in DataLoader(torch.randn(9, 1, 8, 8), batch_size=4):
    y = maps(x)
net.eval()
with torch.no_grad():
    for x in DataLoader(torch.randn(9, 8), batch_size=4):
        y = net(x)
