"""A loader for one process of several.

Avoids: loader-without-seed.
"""

import os

from lab import make_loader

RANK, WORLD = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))

for batch in make_loader(list(range(8)), shard=RANK, shards=WORLD, seed=1):
    print(batch)
