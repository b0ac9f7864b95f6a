"""Implicit image representation; a base class with template methods."""
from __future__ import annotations

import abc
import random

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import nn, optim


class SineLayer(nn.Module):
    def __init__(self, i, o, w0=30.0):
        super(SineLayer, self).__init__()
        self.linear = nn.Linear(i, o)
        self.w0 = torch.nn.Parameter(torch.tensor(w0))

    def forward(self, x):
        w0 = self.w0.item()  # check: graph-cut-by-conversion
        return torch.sin(w0 * self.linear(x))


class Experiment(abc.ABC):
    def __init__(self, seed=0):
        torch.manual_seed(seed)
        self.model = self.build()
        self.optimizer = optim.Adam(self.model.parameters(), lr=1e-4)
        self.schedule = optim.lr_scheduler.ExponentialLR(self.optimizer, 0.999)
        self.history = []

    @abc.abstractmethod
    def build(self) -> nn.Module: ...

    @abc.abstractmethod
    def batch(self) -> tuple[torch.Tensor, torch.Tensor]: ...

    def run(self, steps):
        for step in range(steps):
            coords, values = self.batch()
            self.optimizer.zero_grad()
            pred = self.model(coords)
            loss = F.mse_loss(pred, values)
            loss.backward()
            self.schedule.step()  # check: scheduler-before-optimizer
            self.optimizer.step()
            self.history.append(loss.item())
            if loss == np.nan:  # check: nan-compared
                raise RuntimeError("diverged")
        return self.history


class ImageFit(Experiment):
    def __init__(self, path, **kwargs):
        image = np.array(Image.open(path).convert("RGB"), dtype=np.float32) / 255
        self.pixels = torch.from_numpy(image)
        super().__init__(**kwargs)

    def build(self):
        return nn.Sequential(SineLayer(2, 256), SineLayer(256, 256), nn.Linear(256, 3))

    def batch(self, n=4096):
        h, w, _ = self.pixels.shape
        ys = torch.tensor([random.randrange(h) for _ in range(n)])  # check: seed-incomplete
        xs = torch.tensor(np.random.randint(0, w, n))  # check: seed-incomplete
        coords = torch.stack([ys / h, xs / w], dim=1) * 2 - 1
        return coords, self.pixels[ys, xs]


if __name__ == "__main__":
    print(ImageFit("camera.png").run(2000)[-1])
