# a sample that is None
from torch.utils.data import DataLoader, Dataset


class Sometimes(Dataset):
    def __getitem__(self, index):
        if index != 1:
            return index, 2 * index

    def __len__(self):
        return 4


batch = next(iter(DataLoader(Sometimes(), batch_size=4)))  # run: a sample is None
