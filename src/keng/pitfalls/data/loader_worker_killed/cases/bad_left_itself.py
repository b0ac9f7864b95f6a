# it left by itself
import os

from torch.utils.data import DataLoader, Dataset


class Leaving(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        os._exit(1)


for batch in DataLoader(Leaving(), num_workers=1):  # run: its worker is gone
    print(batch)
