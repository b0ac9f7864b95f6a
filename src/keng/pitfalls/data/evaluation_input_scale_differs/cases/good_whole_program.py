# the good program of the page with its training
import torch
from torch import nn
from torch.utils.data import DataLoader

raw = torch.randint(256, (16, 1, 4, 4)) / 255
net = nn.Sequential(nn.Flatten(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for image in DataLoader(raw[:8], batch_size=8):
    optimizer.zero_grad()
    net(image).square().mean().backward()
    optimizer.step()
net.eval()
with torch.no_grad():
    for image in DataLoader(raw[8:], batch_size=8):
        scores = net(image)
