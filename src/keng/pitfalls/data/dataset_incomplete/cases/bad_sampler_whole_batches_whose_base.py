# a sampler of whole batches whose base is not made; `drop_last`
import torch
from torch.utils.data import BatchSampler, DataLoader, SequentialSampler, TensorDataset


class PairsSampler(BatchSampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        return iter([[n, n + 1] for n in range(0, len(self.sampler), 2)])


data = TensorDataset(torch.ones(8, 2))
loader = DataLoader(data, batch_sampler=PairsSampler(SequentialSampler(data)))
steps = len(loader)  # run: `super().__init__(...)`
