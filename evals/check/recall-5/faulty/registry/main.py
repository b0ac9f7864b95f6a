import torch
from torch.utils.data import DataLoader
from vision.registry import DATASETS, LOSSES, MODELS

import vision  # noqa: F401

CONFIG = {
    "model": {"type": "pyramid", "widths": (32, 64, 128), "classes": 4},
    "loss": {"type": "mask", "weight": 0.5},
    "data": {
        "train": {"type": "folder", "root": "data/train"},
        "val": {"type": "folder", "root": "data/val", "flip": False},
    },
    "optimizer": {"name": "SGD", "lr": 0.01, "momentum": 0.9},
    "epochs": 40,
}


def build_optimizer(cfg, model):
    cfg = dict(cfg)
    return getattr(torch.optim, cfg.pop("name"))(model.parameters(), **cfg)


def validate(model, loader, criterion, device):
    total = 0.0
    with torch.no_grad():
        for images, masks in loader:
            out = model(images.to(device))  # check: eval-mode-missing
            total += criterion(out, masks.to(device)).item()
    return total / len(loader)


def main(cfg):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = MODELS.build(cfg["model"]).to(device)
    criterion = LOSSES.build(cfg["loss"])
    loaders = {
        split: DataLoader(DATASETS.build(cfg["data"][split]), batch_size=8, shuffle=split == "train", num_workers=4)
        for split in ("train", "val")
    }
    optimizer = build_optimizer(cfg["optimizer"], model)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=3)
    for epoch in range(cfg["epochs"]):
        model.train()
        running = 0
        for images, masks in loaders["train"]:
            images, masks = images.to(device), masks.to(device)
            optimizer.zero_grad()
            out = model(images)
            loss = criterion(out, masks)  # check: bce-wants-probabilities (both registered models end in a sigmoid)
            loss.backward()
            optimizer.step()
            running = running + loss  # check: loss-keeps-graph
        scheduler.step()  # check: scheduler-before-optimizer (a plateau's scheduler wants the metric)
        print(epoch, running / len(loaders["train"]), validate(model, loaders["val"], criterion, device))


if __name__ == "__main__":
    main(CONFIG)
