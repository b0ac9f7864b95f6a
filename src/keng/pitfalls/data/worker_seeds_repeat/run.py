"""A running program: a generator of random numbers on the dataset is copied into each worker."""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Iterator
from typing import Any

import torch

from keng.model import Hits, say
from keng.rules import watches
from keng.run.classes import uses
from keng.run.facts.loader import LoaderStarted, kept_by
from keng.run.frames import is_user_made
from keng.run.worker_seeds import seeded_alike

FEW = 32
"""Transforms in a row. Longer lists are data."""
SEEDS = ("seed", "manual_seed", "set_state")


@watches(LoaderStarted)
def same_seed_in_each_worker(loader: LoaderStarted) -> Hits:
    if not loader.workers or loader.workers + loader.epoch <= 2:
        return
    home = sys.modules.get(type(loader.dataset).__module__)
    seed = seeded_alike(getattr(loader.iterator, "_worker_init_fn", None), home)
    if seed:
        says = say("same-seed-in-workers")
        yield loader.hit(says, where=seed, workers=loader.workers)


@watches(LoaderStarted)
def same_generator_in_each_worker(loader: LoaderStarted) -> Hits:
    """Generators of random numbers that samples draw from and nothing seeds again."""
    seeded = getattr(loader.iterator, "_worker_init_fn", None) is not None
    if seeded or not loader.workers or loader.workers + loader.epoch < 3:
        return
    for holder in (loader.dataset, *_transforms(loader.dataset)):
        for kept in kept_by(holder, _is_generator):
            if _draws_from(type(holder), kept.attribute):
                name, kind = kept.attribute, kept.kind
                says = say("copied-to-each-epoch", name=name, kind=kind)
                if loader.workers > 1:
                    says = say("copied-to-workers", name=name, kind=kind)
                yield loader.hit(says, where=kept.made, workers=loader.workers)


def _transforms(dataset: Any) -> Iterator[Any]:
    """What the user's own classes have made of the dataset's attributes: `self.transform`, or one of those
    that a list or `self.transform.transforms` holds."""
    for value in list(getattr(dataset, "__dict__", {}).values()):
        for each in _parts(value, 2):
            if is_user_made(each):
                yield each


def _parts(value: Any, depth: int) -> Iterator[Any]:
    inner = value if isinstance(value, (list, tuple)) else getattr(value, "transforms", ())
    if inner is not value:
        yield value
    if depth and isinstance(inner, (list, tuple)) and len(inner) <= FEW:
        for each in inner:
            yield from _parts(each, depth - 1)


def _draws_from(owner: type, attribute: str) -> bool:
    found = uses(owner, attribute)
    return bool(found) and not any(
        isinstance(node, ast.Attribute) and node.attr in SEEDS for node in found
    )


def _is_generator(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    kinds: tuple[type, ...] = (random.Random, torch.Generator)
    if numpy is not None:
        kinds += (numpy.random.Generator, numpy.random.RandomState)
    return isinstance(value, kinds)
