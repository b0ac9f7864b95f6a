# lines of a file
from pathlib import Path

from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as file:
            yield from file


Path("lines.txt").write_text("a\nb\n")
lines = Lines("lines.txt")
batches = list(DataLoader(lines, num_workers=3))  # check: # run: each line comes three times

# proof
assert len(batches) == 6
