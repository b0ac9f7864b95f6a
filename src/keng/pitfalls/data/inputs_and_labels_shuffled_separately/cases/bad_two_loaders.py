# inputs and labels come from two loaders
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
images = torch.rand(96, 1, 4, 4)
labels = (images.mean((1, 2, 3)) * 40).long() % 4
model = nn.Sequential(nn.Flatten(), nn.Linear(16, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets = DataLoader(images, 16, shuffle=True), DataLoader(labels, 16, shuffle=True)
for epoch in range(4):
    for x, y in zip(inputs, targets):
        loss = nn.functional.cross_entropy(model(x), y)  # run: had another label
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
