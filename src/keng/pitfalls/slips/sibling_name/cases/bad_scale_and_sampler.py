# a scale that subtracts the maximum; a sampler of another split
import torch
from torch.utils.data import DataLoader, SequentialSampler, TensorDataset


def scaled(x):
    return (x - x.max()) / (x.max() - x.min() + 1e-12)  # check: `x.max()` is used for both


def shown(x):
    return 255 * (x - x.max()) / (x.max() - x.min() + 1e-12)  # check: `x.max()` is used for both


train_set, test_set = TensorDataset(torch.ones(4, 1)), TensorDataset(torch.ones(2, 1))
sampler = SequentialSampler(test_set)  # check: the sampler draws from `test_set`
loader = DataLoader(train_set, batch_size=1, sampler=sampler)

# proof
assert shown(torch.tensor([0.0, 1.0])).max() <= 0
assert scaled(torch.tensor([0.0, 1.0])).min() < -0.9 and len([*loader]) == 2
