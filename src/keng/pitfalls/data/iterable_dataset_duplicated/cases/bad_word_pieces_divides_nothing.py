# a word for pieces divides nothing
from pathlib import Path

from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, shards):
        self.shards = shards

    def __iter__(self):
        for shard in self.shards:
            with open(shard) as file:
                yield from file


shards = ["one.txt", "two.txt"]
for shard in shards:
    Path(shard).write_text("a\nb\n")
lines = Lines(shards)
batches = list(DataLoader(lines, num_workers=2))  # check: # run: 2 workers

# proof
assert len(batches) == 8
