"""Decorators that make a function of a pitfall's folder a rule.

    check.py    @finds                 a generator function of a `keng.source.Code`
    run.py      @watches(Fact)         of a fact that a recorder provides (`keng.run.recorder.Fact`)
    explain.py  @explains("id")        of a `keng.explain.failure.Failure` that matches a message of that id
    ckpt.py     @inspects("fact")      of a `keng.ckpt.checkpoint.Checkpoint` that has such a fact
    env.py      @probes                of a `keng.env.machine.Machine`
    ranks.py    @compares              of a `keng.ranks.reports.Ranks`

A rule yields hits. Each decorator marks the function and returns it; the loader of `keng.pitfalls`
collects what is marked, and in run.py the recorders as well (`keng.run.recorder.Recorder`), which report
hits themselves. A misuse raises CatalogError with file and line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, overload

from keng.model import CatalogError, Facet, Finder, Inspector, Watcher

GENERATOR = 0x20
"""`inspect.CO_GENERATOR`, without the import."""


class Explains(NamedTuple):
    """A function for the messages of one id; their patterns are in messages.toml."""

    id: str
    function: Facet


class Plain(NamedTuple):
    """A rule that is its function."""

    function: Facet


@overload
def finds(function: Facet) -> Facet: ...


@overload
def finds(*, fixes: bool = False, mentions: Iterable[str] = ()) -> Callable[[Facet], Facet]: ...


def finds(
    function: Facet | None = None, *, fixes: bool = False, mentions: Iterable[str] = ()
) -> Any:
    """`@finds` or `@finds(fixes=True)`; `fixes` is a promise that the tests hold it to. With `mentions`,
    dotted names, the rule runs only on files that contain the last part of one of them as a word."""
    words = frozenset(name.rpartition(".")[2].encode() for name in mentions)

    def register(facet: Facet) -> Facet:
        return _marked(facet, Finder(facet, fixes, words))

    return register if function is None else register(function)


def watches(fact: type, *, needs: str = "") -> Callable[[Facet], Facet]:
    """`needs` names what only this rule of the pitfall needs ("cuda")."""

    def register(facet: Facet) -> Facet:
        return _marked(facet, Watcher(fact, facet, needs))

    if not isinstance(fact, type):
        raise _misuse(fact, "give the class of the fact: @watches(LossCall)")
    return register


def explains(id: str) -> Callable[[Facet], Facet]:
    def register(facet: Facet) -> Facet:
        return _marked(facet, Explains(id, facet))

    _must_be_text(id, 'name the message: @explains("id")')
    return register


def inspects(fact: str, *, sure: bool = True) -> Callable[[Facet], Facet]:
    """With `sure=False` it is asked only where suspicions are wanted."""

    def register(facet: Facet) -> Facet:
        return _marked(facet, Inspector(fact, facet, sure))

    _must_be_text(fact, 'name what it looks at: @inspects("tensors")')
    return register


def probes(facet: Facet) -> Facet:
    return _marked(facet, Plain(facet))


def compares(facet: Facet) -> Facet:
    return _marked(facet, Plain(facet))


def marks_of(function: object) -> list[Any]:
    """The rules that a function was marked as."""
    return list(getattr(function, "__dict__", {}).get("keng_rules", ()))


def _marked(facet: Facet, rule: Any) -> Facet:
    code = getattr(facet, "__code__", None)
    if code is None:
        raise _misuse(facet, "a rule is a function")
    if not code.co_flags & GENERATOR:
        raise _misuse(facet, f"{code.co_name} must yield its hits")
    if code.co_argcount != 1 or code.co_kwonlyargcount:
        raise _misuse(facet, f"{code.co_name} takes exactly one argument")
    facet.__dict__.setdefault("keng_rules", []).append(rule)
    return facet


def _must_be_text(given: object, why: str) -> None:
    if not isinstance(given, str):
        raise _misuse(given, why)


def _misuse(thing: object, why: str) -> CatalogError:
    code = getattr(thing, "__code__", None)
    place = f"{code.co_filename}:{code.co_firstlineno}" if code else "a pitfall:0"
    return CatalogError(f"{place}: {why}")
