"""Digits with random shifts of brightness and noise, after facebookresearch/pycls pull 21."""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(5)
EPOCHS = 24


class Digits(Dataset):
    def __init__(self, split, seed=0):
        data = load_digits()
        order = np.random.RandomState(7).permutation(len(data.target))
        chosen = order[:900] if split == "train" else order[900:]
        self.split = split
        self.rng = np.random.RandomState(seed)
        self._inputs = (data.images[chosen, None] / 16.0).astype(np.float32)
        self._labels = data.target[chosen]

    def __len__(self):
        return len(self._inputs)

    def _transform(self, im):
        if self.split == "train":
            im += self.rng.normal(0.0, 0.2, size=im.shape).astype(np.float32)
            im *= self.rng.uniform(0.8, 1.2)
            if self.rng.rand() < 0.3:
                row = self.rng.randint(0, 7)
                im[:, row : row + 2] = 0.0
        return im

    def __getitem__(self, index):
        im, label = self._inputs[index], self._labels[index]  # run: sample-changed-in-place
        return torch.from_numpy(self._transform(im)), int(label)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16)
        self.conv2, self.bn2 = nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32)
        self.fc = nn.Linear(32 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(self.bn1(self.conv1(x)).relu(), 2)
        x = F.max_pool2d(self.bn2(self.conv2(x)).relu(), 2)
        return self.fc(x.flatten(1))


@torch.no_grad()
def test(model, loader):
    model.eval()
    correct = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    model.train()
    return correct / len(loader.dataset)


train_loader = DataLoader(Digits("train"), batch_size=64, shuffle=True, num_workers=0)
test_loader = DataLoader(Digits("test"), batch_size=256)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)
for epoch in range(EPOCHS):
    total = 0.0
    for x, y in train_loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    scheduler.step()
    if epoch % 3 == 2:
        print(f"epoch {epoch} loss {total / len(train_loader.dataset):.4f} test accuracy {test(model, test_loader):.4f}")
print(f"test accuracy {test(model, test_loader):.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
