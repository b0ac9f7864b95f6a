"""A student with labels, an averaged copy for testing, after YU1ut/MixMatch-pytorch issue 16."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def network():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(), nn.Linear(512, 10))


class WeightEMA:
    def __init__(self, model, ema_model, alpha=0.97):
        self.model, self.ema_model, self.alpha = model, ema_model, alpha
        for param, ema_param in zip(model.parameters(), ema_model.parameters()):
            ema_param.data.copy_(param.data)
            ema_param.requires_grad_(False)

    def step(self):
        for param, ema_param in zip(self.model.parameters(), self.ema_model.parameters()):
            ema_param.data.mul_(self.alpha).add_(param.data, alpha=1 - self.alpha)
        for buffer, ema_buffer in zip(self.model.buffers(), self.ema_model.buffers()):
            ema_buffer.copy_(buffer)


torch.manual_seed(0)
digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32)[:, None]
y = torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x[:1200], y[:1200]), batch_size=48, shuffle=True)
model, ema_model = network(), network()
ema = WeightEMA(model, ema_model)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(4):
    model.train()
    for images, labels in loader:
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.step()
    ema_model.eval()
    with torch.no_grad():
        right = (ema_model(x[1200:]).argmax(1) == y[1200:]).float().mean()
    print(epoch, f"loss {loss.item():.3f} averaged {right:.3f}")
show(model, ema_model)
