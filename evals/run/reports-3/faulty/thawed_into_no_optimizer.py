"""A node that was frozen when the optimizer was built and is in none after it thaws, after luxonis/luxonis-train pull 432."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(14)
images = torch.rand(96, 3, 16, 16)
targets = torch.stack([images[:, 0].mean((1, 2)), images[:, 1].std((1, 2))], 1) * 10
loader = DataLoader(TensorDataset(images, targets), 16, shuffle=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.ReLU(), nn.Conv2d(8, 16, 3, 2), nn.ReLU())
        self.head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 2))

    def forward(self, x):
        return self.head(self.backbone(x))


class TriplePhaseStrategy:
    def __init__(self, model):
        parameters = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.SGD(parameters, lr=0.02, momentum=0.9)

    def unfreeze(self, module):
        for parameter in module.parameters():
            parameter.requires_grad_(True)  # run: parameters-not-optimized


model = Net()
model.backbone.requires_grad_(False)
strategy = TriplePhaseStrategy(model)
for epoch in range(8):
    if epoch == 3:
        strategy.unfreeze(model.backbone)
    total = 0.0
    for x, y in loader:
        loss = nn.functional.smooth_l1_loss(model(x), y)
        strategy.optimizer.zero_grad()
        loss.backward()
        strategy.optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
show(model)
