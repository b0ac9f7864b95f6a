"""A head is trained on frozen features, then all of it at a lower rate; then another model, and a resume."""

import io

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 3, 8, 8), torch.randint(4, (96,)))
train_set, valid_set = random_split(data, [72, 24])
train_loader = DataLoader(train_set, batch_size=12, shuffle=True, drop_last=True)
valid_loader = DataLoader(valid_set, batch_size=24)


def features():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, bias=False),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
    )


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone, self.head = features(), nn.Linear(8, 4)

    def forward(self, x):
        return self.head(self.backbone(x))


def fit(model, optimizer, epochs, frozen=None):
    for epoch in range(epochs):
        model.train()
        if frozen is not None:
            frozen.eval()
        for x, y in train_loader:
            optimizer.zero_grad(set_to_none=True)
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.inference_mode():
            right = sum((model(x).argmax(1) == y).sum().item() for x, y in valid_loader)
    return right / len(valid_set)


pretrained = features().state_dict()
model = Classifier()
missing, unexpected = model.load_state_dict(
    {f"backbone.{key}": value for key, value in pretrained.items()}, strict=False
)
assert all(name.startswith("head.") for name in missing)
assert not unexpected
model.backbone.requires_grad_(False)
fit(model, torch.optim.Adam(model.head.parameters(), lr=1e-2), 2, frozen=model.backbone)
model.backbone.requires_grad_(True)
optimizer = torch.optim.Adam(
    [{"params": model.backbone.parameters(), "lr": 1e-4}, {"params": model.head.parameters()}],
    lr=1e-3,
)
fit(model, optimizer, 2)

file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 2}, file)
file.seek(0)
checkpoint = torch.load(file, map_location="cpu", weights_only=True)
again = Classifier()
again.load_state_dict(checkpoint["model"])
optimizer = torch.optim.Adam(
    [{"params": again.backbone.parameters(), "lr": 1e-4}, {"params": again.head.parameters()}],
    lr=1e-3,
)
optimizer.load_state_dict(checkpoint["optimizer"])
fit(again, optimizer, checkpoint["epoch"])
