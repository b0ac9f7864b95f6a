r"""A generator of random numbers on the dataset is copied into each worker.

Every worker of a DataLoader gets its own copy of the dataset. PyTorch seeds `random`, `torch` and, since 1.9,
`np.random` anew in each worker and each epoch, but it knows nothing of a generator object that the dataset
holds: all workers start from the same copy and draw the same numbers, and so does every epoch. Half of the
augmentation, or more, is a repetition. A `worker_init_fn` that sets a fixed seed does the same to the
generators that PyTorch has seeded.

Cure: draw from `torch.rand` or `np.random` in the dataset; or make the generator in the worker, or seed it
there, from `torch.initial_seed()`, which differs between workers and epochs.

Bad:

```python
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    def __init__(self):
        self.rng = np.random.default_rng(0)  # here: each worker gets this very state

    def __len__(self):
        return 8

    def __getitem__(self, index):
        return self.rng.random()


first, second = DataLoader(Noise(), batch_size=4, num_workers=2)
```

Proof:

```python
assert first.tolist() == second.tolist()
```

Bad (used by a method that a sample goes through):

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Crops(Dataset):
    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)  # here: the same in each epoch

    def __len__(self):
        return 8

    def crop(self):
        return torch.rand(1, generator=self.generator)

    def __getitem__(self, index):
        return self.crop()


loader = DataLoader(Crops(seed=3), batch_size=4, shuffle=True, num_workers=2)
epochs = [torch.cat(list(loader)).tolist() for epoch in range(2)]
```

Proof:

```python
assert epochs[0] == epochs[1]
```

Bad (held by a transform):

```python
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Jitter:
    def __init__(self):
        self.rng = np.random.default_rng(0)  # seen: copied with the dataset

    def __call__(self, value):
        return value + self.rng.random()


class Values(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 8

    def __getitem__(self, index):
        return self.transform(0.0)


first, second = DataLoader(Values(Jitter()), batch_size=4, num_workers=2)
```

Proof:

```python
assert first.tolist() == second.tolist()
```

Bad (held by one transform of several):

```python
import random

from torch.utils.data import DataLoader, Dataset


class Jitter:
    def __init__(self):
        self.dice = random.Random(0)  # seen: copied with the dataset

    def __call__(self, value):
        return value + self.dice.random()


class Values(Dataset):
    def __init__(self, *transforms):
        self.steps = transforms

    def __len__(self):
        return 8

    def __getitem__(self, index):
        value = 0.0
        for step in self.steps:
            value = step(value)
        return value


first, second = DataLoader(Values(abs, Jitter()), batch_size=4, num_workers=2)
```

Proof:

```python
assert first.tolist() == second.tolist()
```

Bad (each worker is given one seed):

```python
import random

from torch.utils.data import DataLoader, Dataset

SEED = 3


class Noise(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return random.random()


def seed(worker):
    random.seed(SEED)  # seen: the same in each worker and epoch


first, second = DataLoader(Noise(), batch_size=4, num_workers=2, worker_init_fn=seed)
```

Proof:

```python
assert first.tolist() == second.tolist()
```

Good:

```python
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    rng = None

    def __len__(self):
        return 8

    def __getitem__(self, index):
        if self.rng is None:
            self.rng = np.random.default_rng(torch.initial_seed())
        return self.rng.random()


first, second = DataLoader(Noise(), batch_size=4, num_workers=2)
```

Fine (used before there are workers; no workers; seeded for each sample, or in each worker):

```python
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Split(Dataset):
    def __init__(self):
        self.rng = np.random.RandomState(0)
        self.indices = self.rng.permutation(8)

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.indices[index]


class Jitter(Dataset):
    def __init__(self):
        self.rng = random.Random(0)

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.rng.random()


class Seeded(Jitter):
    def __getitem__(self, index):
        return self.rng.random() + torch.rand(1)


class ByIndex(Jitter):
    def __init__(self):
        self.rng = random.Random()

    def __getitem__(self, index):
        self.rng.seed(index)
        return self.rng.random()


def seed(worker):
    get_worker_info().dataset.rng.seed(torch.initial_seed())


batches = list(DataLoader(Split(), num_workers=2))
batches = list(DataLoader(Jitter(), num_workers=0))
batches = list(DataLoader(ByIndex(), num_workers=2))
batches = list(DataLoader(Seeded(), num_workers=2, worker_init_fn=seed))
```

Fine (seeds of the worker's own; a fixed seed for what no sample is made with):

```python
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return random.random() + float(torch.rand(()))


def by_worker(worker):
    random.seed(1000 + worker)


def by_epoch(worker):
    number = torch.initial_seed() % 2**32
    random.seed(number)


def of_another(worker):
    np.random.seed(0)


for begin in (by_worker, by_epoch, of_another):
    batches = list(DataLoader(Noise(), num_workers=2, worker_init_fn=begin))
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import LoaderBegun
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def generator_copied(code: Code) -> Hits:
    for owner in code.datasets():
        for name, call in code.kept_for_samples(owner):
            if not code.makes_random(call) or code.minds_workers(owner, name):
                continue
            if code.forked_loaders(owner):
                yield code.hit(call, f"each worker copies `self.{name}`, and all draw the same")


@pitfall.watches("loader.begun")
def same_seed_in_each_worker(loader: LoaderBegun) -> Hits:
    if loader.workers and loader.workers + loader.passes > 2 and loader.constant_seed:
        says = "every worker is given the same seed, in every epoch: they draw the same numbers"
        yield loader.hit(says, where=loader.constant_seed, workers=loader.workers)


@pitfall.watches("loader.begun")
def same_generator_in_each_worker(loader: LoaderBegun) -> Hits:
    if loader.seeded or not loader.workers or loader.workers + loader.passes < 3:
        return
    for kept in loader.generators:
        again = "in every worker" if loader.workers > 1 else "in every epoch"
        says = f"`self.{kept.attribute}`, a {kept.kind}, is copied: the same numbers {again}"
        yield loader.hit(says, where=kept.made, workers=loader.workers)
