"""An averaged copy that is made before the checkpoint is read, after BangLiu/QANet-PyTorch issue 4."""

import tempfile
from pathlib import Path

import torch
from digest import show
from torch import nn

torch.manual_seed(0)
x = torch.randn(160, 12)
y = torch.stack([x[:, :4].sum(1), x[:, 4:8].sum(1), x[:, 8:].sum(1)], 1).argmax(1)


class EMA:
    def __init__(self, decay):
        self.decay = decay
        self.shadow = {}

    def register(self, model):
        for name, param in model.named_parameters():
            self.shadow[name] = param.data.clone()

    def update(self, model):
        for name, param in model.named_parameters():
            self.shadow[name] = self.decay * self.shadow[name] + (1 - self.decay) * param.data

    def assign(self, model):
        self.original = {n: p.data.clone() for n, p in model.named_parameters()}
        for name, param in model.named_parameters():
            param.data.copy_(self.shadow[name])

    def resume(self, model):
        for name, param in model.named_parameters():
            param.data.copy_(self.original[name])


def build():
    model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 3))
    return model, torch.optim.Adam(model.parameters(), lr=3e-3)


def train(model, optimizer, ema, epochs):
    for _ in range(epochs):
        model.train()
        for i in torch.randperm(160).split(16):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[i]), y[i]).backward()
            optimizer.step()
            ema.update(model)
        model.eval()
        ema.assign(model)
        with torch.no_grad():
            print((model(x).argmax(1) == y).float().mean().item())
        ema.resume(model)


path = Path(tempfile.mkdtemp()) / "model.pt"
model, optimizer = build()
ema = EMA(0.99)
ema.register(model)
train(model, optimizer, ema, 6)
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)

model, optimizer = build()
ema = EMA(0.99)
ema.register(model)  # run: average-made-before-load
saved = torch.load(path)
model.load_state_dict(saved["model"])
optimizer.load_state_dict(saved["optimizer"])
train(model, optimizer, ema, 4)
ema.assign(model)
show(model)
