import time

import torch


class TrainerBase:
    """Runs epochs; what an epoch is made of comes from mixins and subclasses."""

    def __init__(self, model, optimizer, scheduler, cfg):
        self.model = model
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.cfg = cfg
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.epoch = 0
        self.history = {"train": [], "val": []}
        self.model.to(self.device)

    def fit(self, train_loader, val_loader):
        self.model.train()
        for self.epoch in range(self.cfg["epochs"]):
            started = time.perf_counter()
            self.before_epoch()
            for batch in train_loader:
                loss = self.train_step(batch)
                self.history["train"].append(loss)  # check: loss-keeps-graph (train_step returns the loss itself)
            score = self.evaluate(val_loader)
            self.after_epoch(score)
            print(f"epoch {self.epoch} {score:.4f} in {time.perf_counter() - started:.1f}s")

    def train_step(self, batch):
        raise NotImplementedError

    def before_epoch(self):
        pass

    def after_epoch(self, score):
        pass
