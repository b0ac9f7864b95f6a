# as many as the one call says
import gc
import re
from pathlib import Path

from torch.utils.data import DataLoader, Dataset


def private():
    return int(re.search(r"Private_Dirty:\s+(\d+)", Path("/proc/self/smaps_rollup").read_text())[1])


class Names(Dataset):
    def __init__(self, count):
        self.names = [f"image-{number:08}.jpg" for number in range(count)]  # check: `self.names`

    def __len__(self):
        return 1

    def __getitem__(self, index):
        gc.disable()
        before = private()
        letters = sum(map(len, self.names))
        return private() - before


kilobytes = int(next(iter(DataLoader(Names(200_000), num_workers=1))))

# proof
assert kilobytes > 8000
