"""Soft pseudo labels of the weak view have their graph: the labels are drawn towards the guesses."""

import itertools

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class Labelled(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return weak(self.images[i]), self.labels[i]


class Unlabelled(Dataset):
    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return weak(self.images[i]), strong(self.images[i])


def weak(image):
    return image + 0.02 * torch.randn_like(image)


def strong(image):
    return image * (torch.rand_like(image) > 0.3) + 0.1 * torch.randn_like(image)


class SemiSupervised:
    def __init__(self, model, optimizer, weight=1.0, heat=0.5):
        self.model, self.optimizer = model, optimizer
        self.weight, self.heat = weight, heat

    def step(self, x, y, x_weak, x_strong):
        out = self.model(torch.cat([x, x_weak, x_strong]))
        on_labelled, on_weak, on_strong = out.split([len(x), len(x_weak), len(x_strong)])
        supervised = F.cross_entropy(on_labelled, y)
        guessed = torch.softmax(on_weak / self.heat, dim=-1)
        unsupervised = F.cross_entropy(on_strong, guessed)  # run: target-requires-grad
        loss = supervised + self.weight * unsupervised
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return supervised.item(), unsupervised.item()


torch.manual_seed(5)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
labelled = DataLoader(Labelled(x[:100], y[:100]), 20, shuffle=True)
unlabelled = DataLoader(Unlabelled(x[100:1100]), 50, shuffle=True)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
method = SemiSupervised(model, torch.optim.SGD(model.parameters(), 0.05, momentum=0.9))
for epoch in range(3):
    for (a, b), (c, d) in zip(itertools.cycle(labelled), unlabelled):
        losses = method.step(a, b, c, d)
    print(epoch, "{:.3f} {:.3f}".format(*losses))
show(model)
