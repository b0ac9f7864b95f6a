"""A simulation's surrogate is trained, stopped and resumed, after PolymathicAI/the_well issue 77."""

import os
import tempfile

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Training:
    def __init__(self, folder, epochs=6):
        torch.manual_seed(0)
        x = torch.randn(320, 8)
        y = torch.sin(x @ torch.randn(8, 2))
        self.loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
        self.model = nn.Sequential(nn.Linear(8, 48), nn.GELU(), nn.Linear(48, 2))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=4e-3)
        warm = torch.optim.lr_scheduler.LinearLR(self.optimizer, 0.05, total_iters=2)
        down = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, epochs - 2, eta_min=1e-4)
        self.lr_scheduler = torch.optim.lr_scheduler.SequentialLR(self.optimizer, [warm, down], [2])
        self.path = os.path.join(folder, "recent.pt")
        self.epochs, self.first = epochs, 0

    def save(self, epoch):
        torch.save({"epoch": epoch, "state_dict": self.model.state_dict(),
                    "optimizer_state_dict": self.optimizer.state_dict(),
                    "schedule": self.lr_scheduler.state_dict()}, self.path)

    def load(self):
        checkpoint = torch.load(self.path)
        self.model.load_state_dict(checkpoint["state_dict"])
        if "optimizer_state_dict" in checkpoint:
            self.optimizer.load_state_dict(checkpoint["optimizer_state_dict"])  # run: resume-incomplete
        self.first = checkpoint["epoch"] + 1

    def run(self, stop):
        for epoch in range(self.first, stop):
            for x, y in self.loader:
                loss = nn.functional.mse_loss(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print(epoch, f"{loss.item():.4f} {self.optimizer.param_groups[0]['lr']:.2e}")
            self.lr_scheduler.step()
            self.save(epoch)


with tempfile.TemporaryDirectory() as folder:
    Training(folder).run(3)
    resumed = Training(folder)
    resumed.load()
    resumed.run(6)
    show(resumed.model)
