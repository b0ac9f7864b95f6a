"""The two branches of a siamese net are copies, and only one is given to the optimizer."""

import copy

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Triplets(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels
        self.of = [torch.nonzero(labels == n).flatten() for n in range(10)]

    def __len__(self):
        return 1200

    def __getitem__(self, at):
        mine = int(self.labels[at])
        other = self.of[(mine + 1 + at % 9) % 10]
        return (
            self.images[at],
            self.images[self.of[mine][at % len(self.of[mine])]],
            self.images[other[at % len(other)]],
        )


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
        self.right = copy.deepcopy(self.left)

    def forward(self, anchor, near, far):
        return self.left(anchor), self.right(near), self.right(far)


torch.manual_seed(0)
digits = load_digits()
images, labels = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
loader = DataLoader(Triplets(images, labels), batch_size=64, shuffle=True, drop_last=True)
net = Siamese()
criterion = nn.TripletMarginLoss(margin=1.0)
optimizer = torch.optim.Adam(net.left.parameters(), lr=1e-3)  # run: parameters-not-optimized
for epoch in range(4):
    for anchor, near, far in loader:
        optimizer.zero_grad()
        loss = criterion(*net(anchor, near, far))  # run: parameters-not-optimized
        loss.backward()  # run: parameters-not-optimized
        optimizer.step()  # run: parameters-not-optimized
    print(f"{loss.item():.4f}")
show(net)
