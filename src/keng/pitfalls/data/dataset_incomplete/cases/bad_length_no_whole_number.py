# a length that is no whole number
from torch.utils.data import DataLoader, Dataset


class Halves(Dataset):
    def __getitem__(self, index):
        return index

    def __len__(self):
        return 8 / 2


first = next(iter(DataLoader(Halves())))  # run: `__len__` returns a float
