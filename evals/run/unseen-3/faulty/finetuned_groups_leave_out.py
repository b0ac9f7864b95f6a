"""Rates by depth, taken by the names of the layers: the adapter between body and head is in no group."""

import torch
from digest import show
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU())
        self.layer1 = nn.Sequential(nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU())
        self.layer2 = nn.Sequential(nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU())
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.features(x))

    def features(self, x):
        return self.layer2(self.layer1(self.stem(x))).mean((2, 3))


class Adapted(Net):
    """The pretrained layers, an adapter, and a head for the new classes."""

    def __init__(self, classes):
        super().__init__(classes)
        self.adapter = nn.Sequential(nn.Linear(32, 32), nn.Tanh())

    def forward(self, x):
        return self.head(self.adapter(self.features(x)))


def loaders(classes, batch=32):
    digits = load_digits()
    keep = digits.target < classes
    x = torch.tensor(digits.images[keep], dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(digits.target[keep])
    parts = train_test_split(x, y, test_size=0.2, random_state=0)
    train, test = TensorDataset(*parts[::2]), TensorDataset(*parts[1::2])
    return DataLoader(train, batch, shuffle=True), DataLoader(test, 256)


def fit(model, optimizer, train, epochs):
    model.train()
    for _ in range(epochs):
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()  # run: parameters-not-optimized
            optimizer.step()  # run: parameters-not-optimized


def accuracy(model, test):
    model.eval()
    with torch.no_grad():
        return sum((model(x).argmax(1) == y).sum().item() for x, y in test) / len(test.dataset)


def groups(model, rate=2e-3, decay=0.5):
    for depth, name in enumerate(["head", "layer2", "layer1"]):
        yield {"params": getattr(model, name).parameters(), "lr": rate * decay**depth}


torch.manual_seed(0)
train, test = loaders(5)
pretrained = Net(5)
fit(pretrained, torch.optim.Adam(pretrained.parameters(), 2e-3), train, 2)
print(f"{accuracy(pretrained, test):.3f}")
train, test = loaders(10)
model = Adapted(10)
kept = {name: v for name, v in pretrained.state_dict().items() if not name.startswith("head")}
print(model.load_state_dict(kept, strict=False))
model.stem.requires_grad_(False)
fit(model, torch.optim.AdamW(groups(model)), train, 2)  # run: parameters-not-optimized
print(f"{accuracy(model, test):.3f}")
show(model)
