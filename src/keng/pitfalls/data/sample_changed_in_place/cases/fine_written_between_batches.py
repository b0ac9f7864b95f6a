# rows that the training loop writes, a cache that is filled once, and how often each sample was asked for
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class SelfTaught(Dataset):
    def __init__(self, count):
        self.x = torch.randn(count, 6)
        self.soft = torch.full((count, 3), 1 / 3)
        self.cache = torch.zeros(count, 6)
        self.filled = torch.zeros(count, dtype=torch.bool)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        if not self.filled[index]:
            self.cache[index] = self.x[index] / self.x[index].norm()
            self.filled[index] = True
        return index, self.cache[index].clone(), self.soft[index].clone()


data = SelfTaught(40)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(4):
    for index, x, soft in DataLoader(data, batch_size=8, shuffle=True):
        scores = model(x)
        optimizer.zero_grad()
        nn.functional.cross_entropy(scores, soft).backward()
        optimizer.step()
        data.soft[index] = 0.5 * soft + 0.5 * scores.detach().softmax(1)
