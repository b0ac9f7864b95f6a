"""Transfer learning: a frozen backbone kept in eval mode inside a model in train mode, unfrozen later."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(16, 3))

    def train(self, mode=True):
        super().train(mode)
        if not self.backbone[0].weight.requires_grad:
            self.backbone.eval()
        return self

    def forward(self, x):
        return self.head(self.backbone(x))


model = Model()
model.backbone.requires_grad_(False)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(3, (64,))), batch_size=16)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.head.parameters(), lr=1e-3)
for epoch in range(4):
    if epoch == 2:
        model.backbone.requires_grad_(True)
        optimizer.add_param_group({"params": model.backbone.parameters(), "lr": 1e-4})
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.inference_mode():
        losses = [criterion(model(x), y) for x, y in loader]
