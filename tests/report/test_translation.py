"""Sentences of units in another language."""

from __future__ import annotations

import pytest

from keng.model import Finding, Fix, Hit
from keng.pitfalls.page import page_of
from keng.report import translation as spoken
from keng.report.translation import finding_in, pattern_of, said_in

NAME = "loss-keeps-graph"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the page of a unit translates, to be filled."""
    pairs: dict[str, str] = {}
    monkeypatch.setattr(spoken, "_own", lambda name: pairs)
    spoken._tongue.cache_clear()
    yield pairs
    spoken._tongue.cache_clear()


@pytest.mark.parametrize(
    ("pattern", "text", "met"),
    [
        ("`{a}` keeps `{b}`", "`total` keeps `loss`", True),
        ("`{a}` keeps `{a}`", "`total` keeps `loss`", False),
        ("`{a}` keeps `{a}`", "`total` keeps `total`", True),
        ("{n} batch{es} of (2,)", "3 batches of (2,)", True),
        ("{n} batch{es} of (2,)", "1 batch of (2,)", True),
        ("keeps {what}", "it keeps all", False),
    ],
)
def test_holes_stand_for_anything(pattern: str, text: str, met: bool) -> None:
    assert bool(pattern_of(pattern).fullmatch(text)) is met


def test_a_sentence_is_said_with_what_the_unit_put_into_it(said: dict[str, str]) -> None:
    said |= {
        "`{a}` keeps {what}": "{what}被 `{a}` 留住",
        "the graph of `{loss}`": "`{loss}` 的计算图",
    }
    assert said_in("zh", NAME, "`total` keeps the graph of `x`") == "`x` 的计算图被 `total` 留住"
    assert said_in("en", NAME, "`total` keeps all") == "`total` keeps all"


def test_chinese_joins_chinese_without_a_space(said: dict[str, str]) -> None:
    said |= {"{layer} takes {n} features": "{layer} 接受 {n} 个特征", "the layer": "该层"}
    assert said_in("zh", NAME, "the layer takes 3 features") == "该层接受 3 个特征"
    assert said_in("zh", NAME, "`fc` takes 3 features") == "`fc` 接受 3 个特征"


def test_a_name_of_the_program_is_not_translated(said: dict[str, str]) -> None:
    said |= {"`self.{a}` keeps {what}": "`self.{a}` 留住{what}", "layers": "层"}
    assert said_in("zh", NAME, "`self.layers` keeps layers") == "`self.layers` 留住层"


def test_the_more_particular_sentence_is_taken(said: dict[str, str]) -> None:
    said |= {"{n} batches": "一般", "{n} small batches": "特别"}
    assert said_in("zh", NAME, "3 small batches") == "特别"


def test_what_is_not_translated_follows_the_title(said: dict[str, str]) -> None:
    said |= {"Detach it": "分离", "layers": "层"}
    hit = Hit("something else", evidence={"layers": 2}, fix=Fix("Detach it", ()))
    told = finding_in("zh", Finding(NAME, "autograd", "error", hit, "source")).hit
    title = page_of_chinese()
    assert told == Hit(f"{title}（something else）", evidence={"层": 2}, fix=Fix("分离", ()))


def page_of_chinese() -> str:
    from keng import pitfalls

    return page_of(pitfalls.pitfall(NAME), "zh").title
