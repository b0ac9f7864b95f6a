"""Every id of a text is used and has both languages, and fewer sentences are composed in code."""

from __future__ import annotations

import re
import string
from functools import cache
from pathlib import Path

import pytest

import keng.explain
from keng import pitfalls
from keng.pitfalls.index import index

SAYS = re.compile(r'\bsay\(\s*"([^"]+)"')
EXPLAIN = Path(keng.explain.__file__).parent
COMPOSED = 1045
"""Sentences that code composes and that are translated by their English form. It may only fall."""
WITHOUT_CHINESE = 3
OF_PROBES = {
    *("attends-to-future", "batch-rows-mixed", "input-ignored", "label-reaches-prediction"),
    "padding-changes-output",
}
"""Pitfalls whose ids are the names of probes (`keng.run.probes`)."""


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@cache
def shared_ids(group: Path) -> set[str]:
    """The ids that what several pitfalls share says: that of the group, and that of explain/."""
    files = (*group.glob("_shared*.py"), *EXPLAIN.glob("**/*.py"))
    return {id for file in files for id in SAYS.findall(file.read_text("utf-8"))}


@pytest.mark.parametrize("name", pitfalls.names())
def test_ids_and_texts_agree(name: str) -> None:
    details = index().details(name)
    source = "".join(file.read_text("utf-8") for file in pitfalls.folder(name).glob("*.py"))
    said = set(SAYS.findall(source))
    used = said | {id for id, *_ in details["messages"]} | shared_ids(pitfalls.folder(name).parent)
    assert said <= details["texts"].keys(), "an id without a text"
    assert name in OF_PROBES or details["texts"].keys() <= used, "a text that nothing says"
    for id, text in details["texts"].items():
        assert text.get("en"), f"{id} has no English"
        assert holes(text.get("zh", "")) <= holes(text["en"]), f"{id}: the Chinese has another hole"


def test_fewer_sentences_are_composed_in_code() -> None:
    composed = sum(len(index().details(name)["sentences"]) for name in pitfalls.names())
    assert composed <= COMPOSED


def test_fewer_texts_have_no_chinese() -> None:
    """They are translated by their English form, as what code composes."""
    texts = [text for name in pitfalls.names() for text in index().details(name)["texts"].values()]
    assert sum("zh" not in text for text in texts) <= WITHOUT_CHINESE
