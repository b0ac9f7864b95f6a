# fewer draws than samples; weights of zero; your own sampler
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
data = TensorDataset(torch.arange(50))
weights = (torch.arange(50) < 5).double()
for sampler in (
    WeightedRandomSampler(torch.ones(50), 10),
    WeightedRandomSampler(weights, 50),
    RandomSampler(data, replacement=True, num_samples=5),
):
    for (index,) in DataLoader(data, batch_size=5, sampler=sampler):
        assert len(index) == 5
