# an evaluation in another order; the same samples each time; noise that the loop adds
# needs: nothing
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(96, 6), torch.randint(3, (96,))
train, valid = TensorDataset(x[:64], y[:64]), TensorDataset(x[64:], y[64:])
model = nn.Linear(6, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(4):
    model.train()
    for rows, labels in DataLoader(train, batch_size=16):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(rows + 0.1 * torch.randn_like(rows)), labels).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for shuffle in (False, True):
            for rows, labels in DataLoader(valid, batch_size=16, shuffle=shuffle):
                right = (model(rows + 0.1 * torch.randn_like(rows)).argmax(1) == labels).sum()
