"""A running program: a generator of random numbers on the dataset is copied into each worker."""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from keng.model import Hits, Span, say
from keng.rules import watches
from keng.run.facts.loader import LoaderStarted, kept_by
from keng.run.frames import is_user_made
from keng.run.user_code import code_at, function_of, line, uses

if TYPE_CHECKING:
    from types import ModuleType

    from keng.source.code import Code

FEW = 32
"""Transforms in a row. Longer lists are data."""
SEEDERS = ("seed", "manual_seed")
SEEDS = (*SEEDERS, "set_state")


@watches(LoaderStarted)
def same_seed_in_each_worker(loader: LoaderStarted) -> Hits:
    if not loader.workers or loader.workers + loader.epoch <= 2:
        return
    home = sys.modules.get(type(loader.dataset).__module__)
    seed = _constant_seed(getattr(loader.iterator, "_worker_init_fn", None), home)
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


def _constant_seed(function: Any, home: ModuleType | None) -> Span | None:
    """The statement of a `worker_init_fn` that gives every worker the same seed, for a generator that the
    module of the dataset draws from."""
    found, dataset = function_of(function), code_at(getattr(home, "__file__", None) or "")
    if found is None or dataset is None:
        return None
    code, body = found
    bound = {name.id for name in code.below(body, ast.Name) if isinstance(name.ctx, ast.Store)}
    bound |= {argument.arg for argument in code.below(body, ast.arg)}
    for call in code.below(body, ast.Call):
        generator = _seeded(code, call, bound)
        if generator and _draws(dataset, generator):
            return line(code, call)
    return None


def _seeded(code: Code, node: ast.Call, bound: set[str]) -> str:
    """The generator that is seeded with a number that depends neither on the worker nor on the epoch:
    `np.random`."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[seed]) if name in SEEDERS:
            parts = list(ast.walk(seed))
            varies = any(isinstance(part, ast.Call) for part in parts)
            known = {part.id for part in parts if isinstance(part, ast.Name)}
            return "" if varies or known & bound else code.text_of(owner)
    return ""


def _draws(code: Code, generator: str) -> bool:
    """Whether a module draws from a generator."""
    for node in code.of(ast.Attribute):
        draws = node.attr.startswith("rand") if generator == "torch" else node.attr not in SEEDERS
        if draws and code.text_of(node.value) == generator:
            return True
    return False
