"""A siamese net on triplets that two workers draw, with the hardest ones mined without gradients."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset, WeightedRandomSampler


class Digits(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.images)

    def __getitem__(self, at):
        noise = torch.randn(64) * 0.05
        return self.images[at] + noise, self.labels[at]


def hardest(codes, labels):
    with torch.no_grad():
        apart = torch.cdist(codes, codes)
        same = labels[:, None] == labels
        near = apart.masked_fill(~same, -1).argmax(1)
        far = apart.masked_fill(same, float("inf")).argmin(1)
    return near, far


if __name__ == "__main__":
    torch.manual_seed(0)
    digits = load_digits()
    images, labels = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
    rows = Digits(images[:1200], labels[:1200])
    sampler = WeightedRandomSampler([1.0] * 1200, 640)
    loader = DataLoader(rows, 64, sampler=sampler, num_workers=2, persistent_workers=True)
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
    criterion = nn.TripletMarginLoss(margin=0.5, swap=True)
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    for epoch in range(3):
        net.train()
        for x, y in loader:
            codes = net(x)
            near, far = hardest(codes, y)
            loss = criterion(codes, codes[near], codes[far])
            optimizer.zero_grad(set_to_none=False)
            loss.backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            known, asked = net(images[:1200]), net(images[1200:])
            right = labels[torch.cdist(asked, known).argmin(1)] == labels[1200:]
        print(f"{loss.item():.4f} {right.float().mean().item():.3f}")
    show(net)
