"""A running program: a generator of random numbers on the dataset is copied into each worker."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LoaderBegun


@watches("loader.begun")
def same_seed_in_each_worker(loader: LoaderBegun) -> Hits:
    if loader.workers and loader.workers + loader.passes > 2 and loader.constant_seed:
        says = "every worker is given the same seed, in every epoch: they draw the same numbers"
        yield loader.hit(says, where=loader.constant_seed, workers=loader.workers)


@watches("loader.begun")
def same_generator_in_each_worker(loader: LoaderBegun) -> Hits:
    if loader.seeded or not loader.workers or loader.workers + loader.passes < 3:
        return
    for kept in loader.generators:
        again = "in every worker" if loader.workers > 1 else "in every epoch"
        says = f"`self.{kept.attribute}`, a {kept.kind}, is copied: the same numbers {again}"
        yield loader.hit(says, where=kept.made, workers=loader.workers)
