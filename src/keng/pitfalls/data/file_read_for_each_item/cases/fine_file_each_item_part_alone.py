# one file per sample; only a part of the file; once for all; a path that changes
import json

import numpy as np
import torch
from torch.utils.data import Dataset


class Files(Dataset):
    def __init__(self, paths, folder):
        self.paths, self.folder, self.table, self.part = paths, folder, None, "0.npy"

    def __len__(self):
        return len(self.paths)

    def open_part(self, number):
        self.part = f"{number}.npy"

    def __getitem__(self, index):
        if self.table is None:
            self.table = np.load(self.folder)
        mapped = np.load(self.folder, mmap_mode="r")
        part = np.load(self.part)
        with open(f"{self.folder}/{index}.json") as file:
            told = json.load(file)
        path = self.paths[index]
        return np.load(self.paths[index]), torch.load(path), mapped[index], part, told
