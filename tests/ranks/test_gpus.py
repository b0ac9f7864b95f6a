"""Ranks on one card, as ranks tell it: the cards are made up, for here are none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from keng import pitfalls
from keng.ranks.collect.gpus import Cards
from keng.ranks.collect.section import Looks
from keng.ranks.reports import Held, Ranks, Told
from keng.run.events import Step
from keng.run.findings import Findings
from keng.run.state import RunState

MIB = 1 << 20

SHARED = ": they share its memory and its time, and other GPUs idle"


def told(rank: int, node: str, own: int, *others: int, seen: int = 4, first: int = 0) -> Told:
    """`first` is the number of the card that this rank calls cuda:0."""
    held = [Held(f"cuda:{n}", (node, f"GPU-{first + n}"), 64 * MIB) for n in (own, *others)]
    return Told(rank, 1, node=node, card=held[0], others=tuple(held[1:]), cards=seen)


def said(*every: Told) -> list[str]:
    findings = Findings([pitfalls.pitfall("ranks-share-card")])
    findings.compare(Ranks(len(every), {each.rank: each for each in every}))
    assert not findings.skipped
    return [finding.hit.says for finding in findings.folded.values()]


def test_ranks_on_one_card() -> None:
    both = [told(0, "a", 0), told(1, "a", 0)]
    assert said(*both) == [f"ranks 0 and 1 train on one GPU, although 4 are visible{SHARED}"]
    assert said(*both, told(2, "b", 0), told(3, "b", 1)) == [
        f"ranks 0 and 1 train on one GPU, although 4 are visible{SHARED}"
    ]


def test_memory_of_anothers_card() -> None:
    assert said(told(0, "a", 0), told(1, "a", 1, 0)) == [
        "rank 1 trains on cuda:1 but holds 64 MiB of cuda:0, which belongs to rank 0:"
        " that rank runs out of memory earlier"
    ]


@pytest.mark.parametrize(
    "every",
    [
        [told(0, "a", 0), told(1, "a", 1)],
        [told(0, "a", 0), told(1, "b", 0)],
        # One card for two ranks is all that there is; each is shown a card of its own.
        [told(0, "a", 0, seen=1), told(1, "a", 0, seen=1)],
        [told(0, "a", 0, seen=1), told(1, "a", 0, seen=1, first=1)],
        # More ranks than cards; a model that takes two cards on each rank.
        [told(rank, "a", rank % 2, seen=2) for rank in range(4)],
        [told(0, "a", 0, 1), told(1, "a", 2, 3)],
        [Told(0, 1), Told(1, 1)],
    ],
)
def test_intended_device_use_is_accepted(every: list[Told]) -> None:
    assert said(*every) == []


def test_facts_that_a_rank_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda number: [5, 7, 0][number])
    card = lambda number: SimpleNamespace(uuid=f"GPU-{number}")  # noqa: E731
    monkeypatch.setattr(torch.cuda, "get_device_properties", card)
    cards = Cards(RunState(Findings([])), Looks(now=True))
    assert cards.draft()() == {}
    trained = SimpleNamespace(device=torch.device("cuda", 1), grad=torch.ones(1))
    optimizer: Any = SimpleNamespace(param_groups=[{"params": [trained]}])
    cards.step(Step(optimizer))
    fields = cards.draft()()
    assert (fields["card"].device, fields["card"].size, fields["cards"]) == ("cuda:1", 7, 3)
    assert [(held.device, held.card[1], held.size) for held in fields["others"]] == [
        ("cuda:0", "GPU-0", 5)
    ]
