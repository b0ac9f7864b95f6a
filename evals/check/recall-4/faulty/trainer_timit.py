import logging
import os
import time

import h5py
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

logger = logging.getLogger(__name__)


class PhoneDataset(Dataset):
    def __init__(self, path):
        self.file = h5py.File(path, "r")  # check: hdf5-handle-shared
        self.features = self.file["features"]
        self.phones = self.file["phones"]
        self.rng = np.random.default_rng(0)

    def __len__(self):
        return len(self.features)

    def __getitem__(self, i):
        x = torch.from_numpy(self.features[i])
        x = x + torch.from_numpy(self.rng.normal(0, 0.01, x.shape)).float()  # check: worker-seeds-repeat
        return x, int(self.phones[i])


class TDNN(nn.Module):
    def __init__(self, dim=40, hidden=256, phones=39):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv1d(dim, hidden, 5, padding=2), nn.ReLU(), nn.Conv1d(hidden, hidden, 3, padding=1), nn.ReLU()
        )
        self.gate = nn.Parameter(torch.zeros(1))
        self.out = nn.Linear(hidden, phones)

    def forward(self, x):
        h = self.layers(x.transpose(1, 2))
        h = h * torch.sigmoid(torch.tensor(self.gate.item()))  # check: graph-cut-by-conversion
        h = h.transpose(1, 2).view(-1, h.size(1))  # check: view-of-noncontiguous
        return self.out(h).view(x.size(0), -1, 39).mean(1)


class Trainer:
    def __init__(self, config):
        self.config = config
        self.device = torch.device(config.get("device", "cuda"))
        self.train_loader = DataLoader(PhoneDataset(config["train"]), batch_size=64, shuffle=True, num_workers=4)
        self.dev_loader = DataLoader(PhoneDataset(config["dev"]), batch_size=64, num_workers=4)
        self.model = TDNN()
        self.teacher = TDNN()
        self.teacher.load_state_dict(torch.load(config["teacher"]))  # check: map-location-missing
        self.criterion = nn.CrossEntropyLoss()
        self.kl = nn.KLDivLoss(reduction="batchmean")
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 5)
        self.model.to(self.device)
        self.teacher.to(self.device)
        self.epoch = 0

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            x, y = x.to(self.device), y.to(self.device)
            logits = self.model(x)
            soft = self.teacher(x)  # check: gradient-leaks-into-frozen
            loss = self.criterion(logits, y)
            loss = loss + self.kl(F.softmax(logits / 2, dim=-1), F.softmax(soft / 2, dim=-1))  # check: kl-div-wants-log
            if loss == float("nan"):  # check: nan-compared
                logger.warning("nan loss, skipped")
                continue
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        self.scheduler.step()
        return total / len(self.train_loader)

    def validate(self):
        self.model.eval()
        correct = n = 0
        torch.no_grad()  # check: context-not-entered
        for x, y in self.dev_loader:
            x, y = x.to(self.device), y.to(self.device)
            correct += (self.model(x).argmax(1) == y).sum().item()  # check: validation-records-gradients (by the same)
            n += y.numel()
        return correct / n

    def save(self, name):
        state = {"model": self.model.state_dict(), "epoch": self.epoch, "config": self.config}
        torch.save(state, os.path.join(self.config["out"], name))

    def resume(self, path):
        state = torch.load(path, map_location=self.device)
        self.model.load_state_dict(state["model"])  # check: resume-incomplete
        self.epoch = state["epoch"] + 1

    def run(self):
        while self.epoch < self.config["epochs"]:
            start = time.time()
            loss = self.train_epoch()
            acc = self.validate()
            logger.info("epoch %d loss %.3f acc %.3f %.1fs", self.epoch, loss, acc, time.time() - start)
            self.save("last.pt")
            self.epoch += 1

    def benchmark(self, n=100):
        x = torch.randn(1, 200, 40, device=self.device)
        self.model.eval()
        with torch.no_grad():
            start = time.time()
            for _ in range(n):
                self.model(x)
            elapsed = time.time() - start  # check: timing-without-sync
        logger.info("%.2f ms", 1000 * elapsed / n)


if __name__ == "__main__":
    cfg = {"train": "train.h5", "dev": "dev.h5", "teacher": "teacher.pt", "out": "exp", "epochs": 20, "resume": ""}
    trainer = Trainer(cfg)
    if cfg["resume"]:
        trainer.resume(cfg["resume"])
    trainer.run()
    trainer.benchmark()
