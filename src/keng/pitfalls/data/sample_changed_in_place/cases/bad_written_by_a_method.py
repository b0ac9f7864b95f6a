# another method writes into the row, which the source does not show at the call; three epochs
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset

torch.manual_seed(0)


class Spikes(Dataset):
    def __init__(self, count):
        generator = np.random.default_rng(0)
        self.traces = generator.normal(size=(count, 12)).astype(np.float32)
        self.kinds = generator.integers(2, size=count)
        self.asked = np.zeros(count)

    def __len__(self):
        return len(self.traces)

    def jitter(self, trace):
        trace *= np.random.uniform(0.9, 1.1)
        return trace

    def __getitem__(self, index):
        self.asked[index] += 1
        trace = self.traces[index]  # run: fetching a batch changes `self.traces`
        return torch.from_numpy(self.jitter(trace)), int(self.kinds[index])


data = Spikes(48)
model = nn.Linear(12, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in DataLoader(Subset(data, range(40)), batch_size=10, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
# proof
fresh = Spikes(48)
assert abs(data.traces - fresh.traces).max() > 0.01
