# another optimizer steps later; parameters moved by hand; only the gradient of the image is used
import torch
from torch import nn

torch.manual_seed(0)
body, head, scale = nn.Linear(4, 4), nn.Linear(4, 2), nn.Linear(2, 2)
net = nn.Sequential(body, head, scale)
often = torch.optim.SGD(body.parameters(), lr=0.1)
seldom = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(6):
    net.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    often.step()
    with torch.no_grad():
        for p in scale.parameters():
            p -= 0.1 * p.grad
    if step == 5:
        seldom.step()
image = torch.randn(1, 4, requires_grad=True)
optimizer = torch.optim.Adam([image], lr=0.1)
net.eval()
for step in range(4):
    optimizer.zero_grad()
    net(image).square().mean().backward()
    optimizer.step()
