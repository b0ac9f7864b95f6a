import argparse
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, random_split
from torchvision import datasets, transforms
from tqdm import tqdm


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, targets):
        probs = torch.sigmoid(logits).flatten(1)
        targets = targets.flatten(1)
        inter = (probs * targets).sum(1)
        return (1 - (2 * inter + self.smooth) / (probs.sum(1) + targets.sum(1) + self.smooth)).mean()


class SegNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(True))
        self.blocks = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(4)])
        self.drop = nn.Dropout2d(0.1)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        x = self.down(x)
        for block in self.blocks:
            x = x + F.relu(block(x))
        return self.out(self.drop(x))


class Trainer:
    def __init__(self, args, model, train_loader, val_loader):
        self.args, self.train_loader, self.val_loader = args, train_loader, val_loader
        self.device = torch.device("cuda" if torch.cuda.is_available() and not args.cpu else "cpu")
        self.model = model.to(self.device)
        self.bce, self.dice = nn.BCEWithLogitsLoss(), DiceLoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.lr)
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, "max", patience=2)
        self.start_epoch, self.best = 0, 0.0
        if args.resume:
            self._load(args.resume)

    def _load(self, path):
        ckpt = torch.load(path, map_location=self.device)
        self.model.load_state_dict(ckpt["model"])
        self.optimizer.load_state_dict(ckpt["optimizer"])
        self.scheduler.load_state_dict(ckpt["scheduler"])
        self.start_epoch, self.best = ckpt["epoch"] + 1, ckpt["best"]

    def _save(self, epoch, name):
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        state.update(scheduler=self.scheduler.state_dict(), epoch=epoch, best=self.best)
        torch.save(state, os.path.join(self.args.out, name))

    def _train_one_epoch(self, epoch):
        self.model.train()
        total = 0.0
        bar = tqdm(self.train_loader, desc=f"epoch {epoch}")
        for images, masks in bar:
            images, masks = images.to(self.device), masks.to(self.device)
            logits = self.model(images)
            loss = self.bce(logits, masks) + self.dice(logits, masks)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
            bar.set_postfix(loss=loss.item())
        return total / len(self.train_loader)

    @torch.no_grad()
    def _validate(self):
        self.model.eval()
        inter = union = 0
        for images, masks in self.val_loader:
            pred = self.model(images.to(self.device)).sigmoid() > 0.5
            masks = masks.to(self.device).bool()
            inter += (pred & masks).sum()
            union += (pred | masks).sum()
        return (inter / union).item()

    def fit(self):
        for epoch in range(self.start_epoch, self.args.epochs):
            loss = self._train_one_epoch(epoch)
            iou = self._validate()
            self.scheduler.step(iou)
            if iou > self.best:
                self.best = iou
                self._save(epoch, "best.pt")
            self._save(epoch, "last.pt")
            print(f"{epoch}: loss {loss:.3f} iou {iou:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--out", default="runs")
    parser.add_argument("--resume", default="")
    parser.add_argument("--cpu", action="store_true")
    args = parser.parse_args()
    torch.manual_seed(0)
    data = datasets.OxfordIIITPet(
        "data",
        target_types="segmentation",
        transform=transforms.Compose([transforms.Resize((128, 128)), transforms.ToTensor()]),
        target_transform=transforms.Compose([transforms.Resize((128, 128)), transforms.PILToTensor(), lambda m: (m == 1).float()]),
    )
    train_set, val_set = random_split(data, [len(data) - 500, 500], generator=torch.Generator().manual_seed(0))
    Trainer(
        args,
        SegNet(),
        DataLoader(train_set, 16, shuffle=True, num_workers=2, drop_last=True),
        DataLoader(val_set, 16, num_workers=2),
    ).fit()


if __name__ == "__main__":
    main()
