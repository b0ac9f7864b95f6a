# the weights of the whole, for a part
import torch
from torch.utils.data import DataLoader, Subset, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = torch.randint(3, (90,))
part = Subset(TensorDataset(torch.arange(90), labels), list(range(60)))
sampler = WeightedRandomSampler(1 / torch.bincount(labels)[labels], 60)
try:
    batches = list(DataLoader(part, batch_size=16, sampler=sampler))  # run: 90 of 60
except IndexError as error:
    refused = str(error)

# proof
assert "out of range" in refused
