import logging
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, random_split

from .model import Forecaster
from .windows import Windows

log = logging.getLogger(__name__)


class EarlyStopping:
    def __init__(self, patience=5):
        self.best, self.bad, self.patience = float("inf"), 0, patience

    def __call__(self, value):
        self.bad = 0 if value < self.best else self.bad + 1
        self.best = min(self.best, value)
        return self.bad > self.patience


def evaluate(model, loader, criterion):
    model.eval()
    with torch.no_grad():
        losses = [criterion(model(x).squeeze(), y).item() for x, y in loader]  # check: squeezed-without-dim
    model.train()
    return sum(losses) / len(losses)


def fit(csv, folder, epochs=100, lr=1e-3):
    folder = Path(folder)
    data = Windows(csv)
    cut = int(0.9 * len(data))
    train, valid = random_split(data, [cut, len(data) - cut])
    train_loader = DataLoader(train, 64, shuffle=True, num_workers=4)
    valid_loader = DataLoader(valid, 256)
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
    criterion = nn.MSELoss()
    stop = EarlyStopping()
    first = 0
    if (folder / "last.pt").exists():
        saved = torch.load(folder / "last.pt")
        model.load_state_dict(saved["model"])  # check: resume-incomplete
        first = saved["epoch"]
    for epoch in range(first, epochs):
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x).squeeze(-1), y)
            loss.backward()
            optimizer.step()
        score = evaluate(model, valid_loader, criterion)
        plateau.step()  # check: scheduler-before-optimizer
        log.info("%d %.4f", epoch, score)
        torch.save({"model": model.state_dict(), "epoch": epoch}, folder / "last.pt")
        if stop(score):
            break
    return model
