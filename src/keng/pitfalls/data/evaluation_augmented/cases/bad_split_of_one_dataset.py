# a dataset that masks at random is split, and the second part is the test
# needs: nothing
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset

torch.manual_seed(0)


class Signals(Dataset):
    def __init__(self):
        self.waves = torch.randn(72, 16)
        self.kinds = self.waves[:, :3].argmax(1)

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, index):
        wave = self.waves[index].clone()
        start = int(torch.randint(13, (1,)))
        wave[start : start + 4] = 0
        return wave, self.kinds[index]


signals = Signals()
train, test = Subset(signals, range(48)), Subset(signals, range(48, 72))
model = nn.Linear(16, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(4):
    model.train()
    for x, y in DataLoader(train, batch_size=12, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for x, y in DataLoader(test, batch_size=24):  # run: the same labels in each epoch
            right = (model(x).argmax(1) == y).float().mean()
# proof
first, second = (next(iter(DataLoader(test, batch_size=24)))[0] for _ in range(2))
assert not torch.equal(first, second)
