import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Ratings(Dataset):
    def __init__(self, path):
        self.table = np.load(path)

    def __len__(self):
        return len(self.table)

    def __getitem__(self, index):
        user, item, liked = self.table[index]
        return int(user), int(item), np.float32(liked)


def loaders(cfg, root):
    train = DataLoader(Ratings(f"{root}/train.npy"), batch_size=cfg.batch_size, shuffle=True)
    valid = DataLoader(Ratings(f"{root}/valid.npy"), batch_size=cfg.batch_size)
    return train, valid
