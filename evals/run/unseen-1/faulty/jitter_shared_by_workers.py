"""A transform holds its own random generator, which each worker gets a copy of."""

import random

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Shift:
    def __init__(self, seed):
        self.dice = random.Random(seed)  # run: worker-seeds-repeat

    def __call__(self, image):
        return image.roll((self.dice.randint(-1, 1), self.dice.randint(-1, 1)), (0, 1))


class Digits(Dataset):
    def __init__(self, transforms):
        digits = load_digits()
        self.images, self.labels = torch.tensor(digits.images[:256]).float() / 16, digits.target
        self.transforms = transforms

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index]
        for transform in self.transforms:
            image = transform(image)  # run: worker-seeds-repeat
        return image.flatten(), int(self.labels[index])


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.Linear(64, 10)
    optimizer = torch.optim.SGD(model.parameters(), 0.5)
    for _ in range(2):
        for images, labels in DataLoader(Digits([Shift(7)]), 32, shuffle=True, num_workers=2):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(images), labels).backward()
            optimizer.step()
    show(model)
