# one cycle, in a class; the last step of an epoch has fewer batches
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, epochs=4, accumulate=2):
        self.model = nn.Linear(4, 1)
        self.loader = DataLoader(TensorDataset(torch.randn(66, 4)), 4, shuffle=True)
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        total = epochs * len(self.loader)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, 0.01, total_steps=total)  # run: once for 2 batches
        self.epochs, self.accumulate = epochs, accumulate

    def fit(self):
        for epoch in range(self.epochs):
            for i, (x,) in enumerate(self.loader, 1):
                (self.model(x).square().mean() / self.accumulate).backward()
                if i % self.accumulate == 0 or i == len(self.loader):
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                    self.schedule.step()


torch.manual_seed(0)
Trainer().fit()
