"""Evaluation averages over random shifts on purpose, and a denoiser is validated on noisy inputs."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Shifted(Dataset):
    def __init__(self, images, labels, views=1):
        self.images, self.labels, self.views = images, labels, views

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        shifts = torch.randint(-1, 2, (self.views,)).tolist()
        return torch.stack([self.images[i].roll(s, 2) for s in shifts]), self.labels[i]


torch.manual_seed(0)
digits = load_digits()
images = torch.tensor(digits.images).float()[:, None] / 16
labels = torch.tensor(digits.target)
train = DataLoader(Shifted(images[:1400], labels[:1400]), 50, shuffle=True)
test = DataLoader(Shifted(images[1400:], labels[1400:], views=4), 100)
net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(512, 10))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(2):
    net.train()
    for x, y in train:
        loss = nn.functional.cross_entropy(net(x.squeeze(1)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    right = 0
    with torch.no_grad():
        for x, y in test:
            out = net(x.flatten(0, 1)).softmax(1).view(len(y), 4, 10).mean(1)
            right += (out.argmax(1) == y).sum().item()
    print(epoch, f"{right / len(test.dataset):.3f}")

denoiser = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
opt = torch.optim.Adam(denoiser.parameters(), lr=5e-3)
for epoch in range(2):
    for x in images[:1400].split(100):
        loss = nn.functional.mse_loss(denoiser(x + 0.3 * torch.randn_like(x)), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        x = images[1400:]
        print(
            epoch,
            f"{nn.functional.mse_loss(denoiser(x + 0.3 * torch.randn_like(x)), x).item():.4f}",
        )
show(net, denoiser)
