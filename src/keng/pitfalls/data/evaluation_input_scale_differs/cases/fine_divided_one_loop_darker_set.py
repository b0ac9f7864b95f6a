# divided in the loop; a darker set; two models; a table whose columns differ
import torch
from torch import nn
from torch.utils.data import DataLoader

raw = torch.randint(256, (16, 1, 4, 4)).float()
net, other = (nn.Sequential(nn.Flatten(), nn.Linear(16, 1)) for _ in range(2))
table = nn.Linear(4, 1)
optimizer = torch.optim.SGD([*net.parameters(), *other.parameters(), *table.parameters()], lr=0.0)
for image in DataLoader(raw / 255, batch_size=8):
    (net(image) + other(image * 255)).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
for row in DataLoader(torch.rand(8, 4), batch_size=8):
    table(row).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
for each in (net.eval(), other.eval(), table.eval()):
    with torch.no_grad():
        for image in DataLoader(raw, batch_size=8):
            table(255 * row) if each is table else each(image / 255 if each is net else image)
        for image in DataLoader(raw / 2550, batch_size=8):
            net(image)
