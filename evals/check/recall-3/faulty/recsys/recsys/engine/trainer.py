import torch
from torch import nn

from recsys.engine.mixins import EvalMixin, LoggingMixin


class Trainer(LoggingMixin, EvalMixin):
    def __init__(self, model, cfg, device="cpu"):
        self.cfg = cfg
        self.device = device
        self.model = model.to(device)
        self.criterion = nn.BCELoss()
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=cfg.optim.lr, weight_decay=cfg.optim.weight_decay
        )

    def fit(self, train, valid):
        for epoch in range(self.cfg.epochs):
            self.reset_log()
            self.model.train()
            for batch in train:
                self.step(batch)
            print(f"epoch {epoch}: {self.average:.4f} {self.evaluate(valid):.3f}")

    def step(self, batch):
        user, item, liked = (t.to(self.device) for t in batch)
        score = self.model(user, item)
        loss = self.criterion(score, liked)  # check: bce-wants-probabilities
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.log_loss(loss, len(liked))  # check: loss-keeps-graph
