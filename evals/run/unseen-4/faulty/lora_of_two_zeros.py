"""A fine-tuning by low ranks: both matrices begin at zero, and neither ever gets a gradient."""

import argparse
import math

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class LoRALinear(nn.Module):
    def __init__(self, base, r=4, alpha=8):
        super().__init__()
        self.base, self.scaling = base, alpha / r
        self.lora_A = nn.Parameter(torch.empty(r, base.in_features))
        self.lora_B = nn.Parameter(torch.empty(base.out_features, r))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.zeros_(self.lora_A)
        nn.init.zeros_(self.lora_B)

    def forward(self, x):
        low = F.linear(F.linear(x, self.lora_A), self.lora_B)
        return self.base(x) + self.scaling * low  # run: gradients-explode-or-vanish


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(64, 48), nn.Linear(48, 48)
        self.classifier = nn.Linear(48, classes)

    def forward(self, x):
        return self.classifier(F.gelu(self.fc2(F.gelu(self.fc1(x)))))


def inject(model, targets, r):
    for p in model.parameters():
        p.requires_grad = False
    for name in targets:
        setattr(model, name, LoRALinear(getattr(model, name), r))
    for p in model.classifier.parameters():
        p.requires_grad = True


def fit(model, loader, lr, epochs):
    learned = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=lr)
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            loss.backward()  # run: gradients-explode-or-vanish
            optimizer.step()  # run: gradients-explode-or-vanish
            optimizer.zero_grad()
    return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    torch.manual_seed(0)
    digits = load_digits()
    x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
    old = y < 5
    model = Classifier(10)
    before = fit(model, DataLoader(TensorDataset(x[old], y[old]), 64, shuffle=True), 2e-3, 3)
    inject(model, ["fc1", "fc2"], args.rank)
    after = fit(
        model, DataLoader(TensorDataset(x[~old], y[~old]), 32, shuffle=True), 1e-3, args.epochs
    )
    print(f"{before:.3f} {after:.3f} {math.isfinite(after)}")
    show(model)


if __name__ == "__main__":
    main()
