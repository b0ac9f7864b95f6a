"""A layer is frozen in the middle of training, after discuss.pytorch.org/t/153740."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
        self.fc2 = nn.Sequential(nn.Linear(32, 32), nn.ReLU())
        self.out = nn.Linear(32, 4)

    def forward(self, x):
        return self.out(self.fc2(self.fc1(x)))


def set_freeze_by_layer_names(model, layer_names, freeze=True):
    for name, child in model.named_children():
        if name not in layer_names:
            continue
        for param in child.parameters():
            param.requires_grad = not freeze  # run: frozen-parameters-move or weight-decay-on-idle-parameters


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad(set_to_none=False)
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


torch.manual_seed(0)
x = torch.randn(800, 10)
y = (x @ torch.randn(10, 4)).argmax(1)
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(4):
    if epoch == 2:
        set_freeze_by_layer_names(model, ["fc1"])
    print(epoch, f"{train(model, loader, optimizer):.4f}")
show(model)
