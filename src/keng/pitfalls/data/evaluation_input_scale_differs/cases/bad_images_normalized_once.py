# images are normalized by a transform that the test set does not have
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, transform=None):
        self.pictures, self.transform = torch.rand(64, 3, 6, 6), transform

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, i):
        picture = self.pictures[i]
        return (self.transform(picture) if self.transform else picture), int(picture.mean() > 0.5)


def normalize(picture):
    return (picture - 0.5) / 0.25


torch.manual_seed(0)
model = nn.Sequential(nn.Flatten(), nn.Linear(108, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
train, test = DataLoader(Pictures(normalize), 16, shuffle=True), DataLoader(Pictures(), 16)
for epoch in range(2):
    model.train()
    for x, y in train:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = sum(int((model(x).argmax(1) == y).sum()) for x, y in test)  # run: not in evaluation
