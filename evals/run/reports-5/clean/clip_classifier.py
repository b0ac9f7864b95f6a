"""Classifies short clips of moving dots, after https://github.com/md-mohaiminul/ViS4mer/issues/4."""

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

CLASSES, TIME, FEATURES, EPOCHS = 6, 20, 12, 18
torch.manual_seed(44)


def clips(count, seed):
    generator = torch.Generator().manual_seed(seed)
    mixing = torch.randn(4, FEATURES, generator=torch.Generator().manual_seed(0))
    labels = torch.randint(CLASSES, (count,), generator=generator)
    speed = 0.25 + 0.12 * (labels % 3) + 0.02 * torch.randn(count, generator=generator)
    turn = torch.where(labels < 3, 1.0, -1.0)
    start = 2 * math.pi * torch.rand(count, generator=generator)
    angle = start[:, None] + turn[:, None] * speed[:, None] * torch.arange(TIME)
    state = torch.stack([angle.cos(), angle.sin(), (2 * angle).cos(), torch.ones_like(angle)], 2)
    return TensorDataset(state @ mixing + 0.9 * torch.randn(count, TIME, FEATURES, generator=generator), labels)


class Embed(nn.Module):
    """Features of a frame and of its difference from the frame before."""

    def __init__(self, hidden):
        super().__init__()
        self.project = nn.Linear(2 * FEATURES, hidden)

    def forward(self, x):
        moved = x - torch.cat([x[:, :1], x[:, :-1]], 1)
        return F.gelu(self.project(torch.cat([x, moved], 2)))


class ClipNet(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.embed = Embed(hidden)
        self.mix = nn.GRU(hidden, hidden, batch_first=True)
        self.head = nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, CLASSES))

    def forward(self, x):
        x, _ = self.mix(self.embed(x))
        return self.head(x.mean(1))


def run(model, loader, optimizer=None):
    """One pass over the loader, with updates if there is an optimizer: its loss and accuracy."""
    model.train(optimizer is not None)
    loss_sum, right, count = 0.0, 0, 0
    with torch.set_grad_enabled(optimizer is not None):
        for x, y in loader:
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
            loss_sum += loss.item() * len(y)
            right += (logits.argmax(1) == y).sum().item()
            count += len(y)
    return loss_sum / count, right / count


def main():
    train_loader = DataLoader(clips(720, 1), batch_size=36, shuffle=True)
    valid_loader = DataLoader(clips(360, 2), batch_size=180)
    test_loader = DataLoader(clips(720, 3), batch_size=180)
    model = ClipNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", factor=0.2, patience=1)
    for epoch in range(EPOCHS):
        train_loss, train_accuracy = run(model, train_loader, optimizer)
        valid_loss, valid_accuracy = run(model, valid_loader)
        scheduler.step(valid_accuracy)
        if epoch % 3 == 2:
            rate = optimizer.param_groups[0]["lr"]
            print(f"epoch {epoch + 1} loss {train_loss:.4f} valid loss {valid_loss:.4f} accuracy {valid_accuracy:.4f} rate {rate:.1e}")
    test_loss, test_accuracy = run(model, test_loader)
    print(f"test loss {test_loss:.4f} accuracy {test_accuracy:.4f}")
    print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")


main()
