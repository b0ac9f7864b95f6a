# no workers; a single one; divided by a function in each worker; endless random samples; indices
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Numbers(IterableDataset):
    def __init__(self):
        self.start, self.end = 0, 8

    def __iter__(self):
        yield from range(self.start, self.end)


class Samples(IterableDataset):
    def __iter__(self):
        for index in range(4):
            yield torch.rand(2)


class Squares(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index * index

    def __iter__(self):
        return iter(range(4))


def divide(worker):
    dataset = get_worker_info().dataset
    dataset.start, dataset.end = 4 * worker, 4 * worker + 4


batches = list(DataLoader(Numbers(), num_workers=0))
batches = list(DataLoader(Numbers(), num_workers=1))
batches = list(DataLoader(Numbers(), num_workers=2, worker_init_fn=divide))
batches = list(DataLoader(Samples(), num_workers=2))
batches = list(DataLoader(Squares(), num_workers=2))
