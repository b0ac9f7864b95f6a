# one permutation for the inputs, another for their labels
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(192, 6)
y = (x[:, 0] > 0).long()
model = nn.Linear(6, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
rows, labels = torch.randperm(192), torch.randperm(192)
for start in range(0, 192, 24):
    target = y[labels[start : start + 24]]  # run: other rows than the inputs
    loss = nn.functional.cross_entropy(model(x[rows[start : start + 24]]), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
assert (model(x).argmax(1) == y).float().mean() < 0.9
