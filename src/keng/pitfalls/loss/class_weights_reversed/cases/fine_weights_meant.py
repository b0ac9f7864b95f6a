# a background that counts less; classes of one size; weights of zero; costs that were chosen
import torch
from torch import nn

torch.manual_seed(0)
share = torch.tensor([0.7, 0.2, 0.1])
labels = torch.multinomial(share, 1200, replacement=True)
even = torch.arange(1200) % 3
weights = [
    torch.tensor([0.1, 1.0, 1.0]),
    torch.tensor([0.0, 1.0, 2.0]),
    torch.tensor([4.0, 1.0, 3.0]),
    1 / torch.bincount(labels),
    (1 / torch.bincount(labels)).sqrt(),
    torch.bincount(labels).sum() / torch.bincount(labels).clamp(max=400),
]
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for rows in torch.randperm(1200).split(50):
        output = model(torch.randn(len(rows), 6))
        loss = nn.functional.cross_entropy(output, labels[rows], weights[0])
        loss = loss + nn.functional.cross_entropy(output, labels[rows], weights[1])
        loss = loss + nn.functional.cross_entropy(output, labels[rows], weights[2])
        loss = loss + nn.functional.cross_entropy(output, labels[rows], weights[3])
        loss = loss + nn.functional.cross_entropy(output, labels[rows], weights[4])
        loss = loss + nn.functional.cross_entropy(output, labels[rows], weights[5])
        loss = loss + nn.functional.cross_entropy(output, even[rows], weights[2])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
