import logging

import torch

from .mixins import AccumulateMixin, MeterMixin, ModeMixin

log = logging.getLogger(__name__)


class Trainer(AccumulateMixin, ModeMixin, MeterMixin):
    def __init__(self, model, loaders, criterion, *, k=4, max_norm=1.0, lr=3e-4, epochs=10, device="cpu"):
        self.model = model.to(device)
        self.train_loader, self.valid_loader = loaders
        self.criterion, self.device = criterion, device
        self.k, self.max_norm, self.epochs = k, max_norm, epochs
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, 10 * lr, total_steps=epochs * self.steps_per_epoch(self.train_loader)
        )

    def forward_loss(self, batch):
        x, y = (t.to(self.device) for t in batch)
        return self.criterion(self.model(x), y)

    def fit(self):
        self.optimizer.zero_grad()
        for epoch in range(self.epochs):
            self.reset()
            for i, batch in enumerate(self.train_loader):
                loss = self.forward_loss(batch)
                self.track(loss=loss)
                self.backward(loss, i, len(self.train_loader))
            log.info("%d %.4f %.4f", epoch, self.totals["loss"] / len(self.train_loader), self.validate())

    def validate(self):
        total = 0.0
        with self.evaluating():
            for batch in self.valid_loader:
                total += self.forward_loss(batch)
        return total / len(self.valid_loader)
