# a key, as of a dict, of a batch of numbers
import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __getitem__(self, index):
        sample = {"image": torch.ones(3, 4, 4)}
        return 0

    def __len__(self):
        return 4


for sample in DataLoader(Images(), batch_size=2):
    image = sample["image"]  # run: `__getitem__`
