# the good program of the page with its training
import re
from pathlib import Path

import numpy as np
from torch.utils.data import DataLoader, Dataset


def private():
    return int(re.search(r"Private_Dirty:\s+(\d+)", Path("/proc/self/smaps_rollup").read_text())[1])


class Names(Dataset):
    def __init__(self):
        self.names = np.array([f"image-{number:08}.jpg" for number in range(200_000)])

    def __len__(self):
        return 1

    def __getitem__(self, index):
        before = private()
        letters = sum(len(name) for name in self.names)
        return private() - before


kilobytes = int(next(iter(DataLoader(Names(), num_workers=1))))
assert kilobytes < 8000
