# argument: batch_sampler=[[0, 1], [2, 3]]
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(10))


loader = DataLoader(Stream(), batch_sampler=[[0, 1], [2, 3]])
