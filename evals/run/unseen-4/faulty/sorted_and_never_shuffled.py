"""The rows are sorted by class and the loader does not shuffle: each batch holds one class."""

from itertools import pairwise

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MLP(nn.Module):
    def __init__(self, sizes=(64, 64, 32, 10)):
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes[:-1]))
        self.output = nn.Linear(*sizes[-2:])

    def forward(self, x):
        for layer in self.hidden:
            x = torch.tanh(layer(x))
        return self.output(x)


def get_loaders(batch_size):
    digits = load_digits()
    order = digits.target.argsort(kind="stable")
    x = torch.from_numpy(digits.data[order]).float() / 16
    y = torch.from_numpy(digits.target[order])
    chosen = torch.arange(len(x)) % 5 != 0
    train = TensorDataset(x[chosen], y[chosen])
    val = TensorDataset(x[~chosen], y[~chosen])
    return {
        "train": DataLoader(train, batch_size=batch_size),  # run: labels-constant
        "val": DataLoader(val, batch_size=batch_size),
    }


def train_model(model, loaders, criterion, optimizer, num_epochs=4):
    for epoch in range(num_epochs):
        for phase in ("train", "val"):
            model.train(phase == "train")
            running_loss, running_corrects = 0.0, 0
            for inputs, labels in loaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)  # run: labels-constant
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(outputs.argmax(1) == labels).item()
            size = len(loaders[phase].dataset)
            print(f"{epoch} {phase} {running_loss / size:.4f} {running_corrects / size:.4f}")


torch.manual_seed(0)
model = MLP()
train_model(
    model, get_loaders(24), nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), 0.05)
)
show(model)
