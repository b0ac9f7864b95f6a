"""A schedule whose counter is set after it was built, so the first epoch starts at the wrong rate, after ultralytics/yolov3 issue 902."""

import math
import tempfile
from pathlib import Path

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x = torch.randn(192, 10)
loader = DataLoader(TensorDataset(x, x.sin().sum(1, keepdim=True)), 16, shuffle=True)
path = Path(tempfile.mkdtemp()) / "last.pt"
EPOCHS = 12


def lf(epoch):
    return ((1 + math.cos(epoch * math.pi / EPOCHS)) / 2) * 0.95 + 0.05


def main(until, resume):
    model = nn.Sequential(nn.Linear(10, 32), nn.SiLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    start_epoch = 0
    if resume:
        saved = torch.load(path)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        start_epoch = saved["epoch"] + 1
        for group in optimizer.param_groups:
            group["initial_lr"] = 0.02
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=lf)
    scheduler.last_epoch = start_epoch - 1  # run: resume-incomplete or schedule-not-applied
    for epoch in range(start_epoch, until):
        total = 0.0
        for a, b in loader:
            loss = nn.functional.mse_loss(model(a), b)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, optimizer.param_groups[0]["lr"], total / len(loader))
        scheduler.step()
        torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
    return model


main(8, resume=False)
show(main(EPOCHS, resume=True))
