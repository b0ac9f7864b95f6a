import torch
import torch.nn as nn
from core import Trainer
from torch.utils.data import DataLoader, TensorDataset


class Smooth(nn.Module):
    def __init__(self, size=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(size, 64), nn.GELU(), nn.Dropout(0.1), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.randn(2000, 16)
    y = x.pow(2).sum(1)
    loaders = (
        DataLoader(TensorDataset(x[:1600], y[:1600]), 64, shuffle=True, pin_memory=True),
        DataLoader(TensorDataset(x[1600:], y[1600:]), 64, pin_memory=True),
    )
    model = Smooth()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    Trainer(model, nn.MSELoss(), optimizer, scheduler, loaders, device).fit(10)


if __name__ == "__main__":
    main()
