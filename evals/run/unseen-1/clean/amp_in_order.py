"""Mixed precision in its right order, in a class, with accumulation and clipping."""

import torch
from digest import show
from sklearn.datasets import load_breast_cancer
from torch import nn


class Step:
    def __init__(self, model, every=2):
        self.model, self.every, self.n = model, every, 0
        self.optimizer = torch.optim.Adam(model.parameters(), 1e-3)
        self.scaler = torch.amp.GradScaler("cpu")

    def __call__(self, x, y):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = self.model(x).squeeze(1)
        loss = nn.functional.binary_cross_entropy_with_logits(out.float(), y) / self.every
        self.scaler.scale(loss).backward()
        self.n += 1
        if self.n % self.every == 0:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.optimizer.zero_grad()
        return loss.detach() * self.every


torch.manual_seed(0)
x, y = load_breast_cancer(return_X_y=True)
x, y = torch.tensor((x - x.mean(0)) / x.std(0)).float(), torch.tensor(y).float()
model = nn.Sequential(nn.Linear(30, 32), nn.ReLU(), nn.Linear(32, 1))
step, kept = Step(model), []
for _ in range(4):
    kept.extend(step(x[part], y[part]) for part in torch.randperm(569).split(60))
print(torch.stack(kept).mean().item())
show(model)
