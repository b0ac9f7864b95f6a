# no self
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __getitem__(index):
        return index

    def __len__(self):
        return 4


first = next(iter(DataLoader(Numbers())))  # run: `def __getitem__(self, index)`
