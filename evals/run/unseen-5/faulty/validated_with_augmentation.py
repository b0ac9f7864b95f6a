"""One dataset that flips and erases at random is split: validation is augmented, too."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


class Digits(Dataset):
    def __init__(self, transform=None):
        digits = load_digits()
        self.images = torch.tensor(digits.images).float()[:, None] / 16
        self.labels = digits.target
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = self.images[index]
        if self.transform:
            image = self.transform(image)
        return image, int(self.labels[index])


def augment(image):
    if torch.rand(1) < 0.5:
        image = image.roll(int(torch.randint(-2, 3, (1,))), 2)
    if torch.rand(1) < 0.5:
        image = image.clone()
        r, c = torch.randint(0, 5, (2,))
        image[:, r : r + 4, c : c + 4] = 0
    return image


torch.manual_seed(0)
dataset = Digits(transform=augment)
train_set, val_set = random_split(dataset, [0.8, 0.2])
train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
val_loader = DataLoader(val_set, batch_size=64)  # run: evaluation-augmented
model = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(16 * 64, 10)
)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
best = 0.0
for epoch in range(3):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = sum((model(x).argmax(1) == y).sum().item() for x, y in val_loader)
    best = max(best, right / len(val_set))
    print(epoch, f"{best:.3f}")
show(model)
