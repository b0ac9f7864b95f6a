# the weights of a part, for the whole
import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def balanced(labels, size):
    counts = torch.bincount(labels)
    return WeightedRandomSampler(1 / counts[labels], size)


torch.manual_seed(0)
labels = torch.randint(3, (90,))
data = TensorDataset(torch.arange(90), labels)
loader = DataLoader(data, batch_size=16, sampler=balanced(labels[:60], 90))
highest = max(int(index.max()) for index, _ in loader)  # run: 60 of 90

# proof
assert highest < 60
