"""A cycle planned for every batch of the training is stepped once an epoch: it never leaves its start."""

import torch
from digest import show
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

config = {"epochs": 6, "batch_size": 64, "max_lr": 1e-2, "hidden": 64, "seed": 7}


class MixerBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.fc = nn.BatchNorm1d(width), nn.Linear(width, width)

    def forward(self, x):
        return x + torch.relu(self.fc(self.norm(x)))


class Learner:
    def __init__(self, config, train, valid):
        width = config["hidden"]
        self.config, self.train_loader, self.valid_loader = config, train, valid
        self.model = nn.Sequential(
            nn.Linear(30, width), MixerBlock(width), MixerBlock(width), nn.Linear(width, 4)
        )
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(  # run: scheduler-before-optimizer
            self.optimizer,
            max_lr=config["max_lr"],
            epochs=config["epochs"],
            steps_per_epoch=len(train),
        )
        self.criterion = nn.CrossEntropyLoss()

    def fit(self):
        for epoch in range(self.config["epochs"]):
            self.one_epoch()
            self.scheduler.step()  # run: scheduler-before-optimizer
            print(epoch, f"{self.validate():.3f} {self.scheduler.get_last_lr()[0]:.2e}")

    def one_epoch(self):
        self.model.train()
        for xb, yb in self.train_loader:
            self.optimizer.zero_grad()
            self.criterion(self.model(xb), yb).backward()
            self.optimizer.step()

    @torch.inference_mode()
    def validate(self):
        self.model.eval()
        right = [self.model(xb).argmax(1) == yb for xb, yb in self.valid_loader]
        return torch.cat(right).float().mean().item()


torch.manual_seed(config["seed"])
x, y = make_classification(2000, 30, n_informative=12, n_classes=4, random_state=config["seed"])
parts = random_split(TensorDataset(torch.tensor(x).float(), torch.tensor(y)), [1600, 400])
train = DataLoader(parts[0], config["batch_size"], shuffle=True, drop_last=True)
learner = Learner(config, train, DataLoader(parts[1], 200))
learner.fit()
show(learner.model)
