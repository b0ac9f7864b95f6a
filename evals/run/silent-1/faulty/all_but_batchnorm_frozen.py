"""The new head is put in first and frozen together with the backbone: only batch norm learns."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Backbone(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8)
        self.fc = nn.Linear(8, classes)

    def forward(self, x):
        return self.fc(self.norm(self.conv(x)).relu().mean((2, 3)))


data = TensorDataset(torch.rand(128, 3, 8, 8), torch.randint(2, (128,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = Backbone(classes=1000)
model.fc = nn.Linear(8, 2)
for name, parameter in model.named_parameters():
    if "norm" not in name:
        parameter.requires_grad = False
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()  # run: output-layer-frozen
