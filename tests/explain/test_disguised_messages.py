"""Each known wording, as people paste it: what is around it or has been done to it changes no explanation."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from keng.explain.engine import explain_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

WORDINGS = tomllib.loads((Path(__file__).parent / "data/templates.toml").read_text("utf-8"))[
    "wording"
]
WIDTH = 80
INSIDE = "/opt/lib/python3.9/site-packages/torch/serialization.py"
PASSING = """
Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f2b>
Traceback (most recent call last):
  File "/opt/lib/python3.9/site-packages/torch/utils/data/dataloader.py", line 1510, in __del__
    self._shutdown_workers()
AssertionError: can only test a child process"""


def each(before: str) -> Callable[[str], str]:
    return lambda text: "\n".join(before + line for line in text.splitlines())


def typeless(text: str) -> str:
    return re.sub(r"(?m)^[\w.]+(?:Error|Warning|Exception): ", "", text)


def apart(text: str) -> str:
    """The kind of the error on a line of its own, the message below it."""
    return re.sub(r"(?m)^([\w.]+(?:Error|Exception)): ", r"\1\n", text)


def in_html(text: str) -> str:
    for sign, entity in (("'", "&#39;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(sign, entity)
    return text


def on_a_terminal(text: str) -> str:
    """Broken at its width; where no exception is raised, a log is not put together again."""
    pieces = [
        line[at : at + WIDTH] for line in text.splitlines() for at in range(0, len(line), WIDTH)
    ]
    return "\n".join(pieces)


def on_a_line(text: str) -> str:
    """With its traceback, as a logger writes it that writes a line an entry."""
    traced = f'Traceback (most recent call last):\n  File "{INSIDE}", line 3, in load\n    step()\n{text}'
    return "Run 12 errored: " + traced.replace("\n", "\\n") + "\nERROR Run 12 errored"


def tangled(text: str) -> str:
    """As two processes write that fail at the same time."""
    return "\n".join(
        [
            'Traceback (most recent call last):\n  File "<string>", line 1, in <module>',
            f'Traceback (most recent call last):\n  File "{INSIDE}", line 105, in load',
            f"    exitcode = _main(fd)\n    {text}\nexec(code, run_globals)",
        ]
    )


DISGUISES = {
    "srun": each("3: "),
    "docker compose": each("trainer-1  | "),
    "docker build": each("#12 45.31 "),
    "Kubernetes": each("2025-11-21T12:00:00.123456789Z stderr F "),
    "mpirun": each("2021-03-10T13:22:37.443Z: [1,0]<stderr>:"),
    "pytest": each("E       "),
    "a rank": each("[rank3]: "),
    "HTML": in_html,
    "Markdown": lambda text: text.replace("_", "\\_").replace("*", "\\*"),
    "Chinese": lambda text: f"我在训练的时候遇到了这个问题：\n{text}\n请问怎么解决？",
    "a shell": lambda text: f"$ python train.py\n{text}\n$ ",
    "an error in passing": lambda text: text + PASSING,
}
ONE_LINE = {
    "without its type": typeless,
    "its type on a line above": apart,
    "in a sentence": lambda text: f"Hi, I always get `{text}` when I run train.py, any idea?",
    "a Chinese sentence": lambda text: f"报错：“{text}”，请问这是什么原因？",
    "a terminal": on_a_terminal,
    "a line of a log": on_a_line,
    "two processes": tangled,
    "bold": lambda text: f"**{text}**",
    "bold in HTML": lambda text: f"<b>{text}</b><br>",
}


def named(text: str) -> str:
    found = explain_text(text, source=False).diagnoses
    return found[0].pitfall if found else ""


EVERY = [*DISGUISES, *ONE_LINE]
SHARE = 3
"""Each wording wears every third disguise, and each disguise is worn by every third wording: all of both
take a minute."""


@pytest.mark.parametrize("how", EVERY)
def test_surrounding_text_does_not_change_the_explanation(how: str) -> None:
    wrong = []
    for wording in WORDINGS[EVERY.index(how) % SHARE :: SHARE]:
        text = wording["text"].strip("\n")
        raised = re.match(r"[\w.]+(?:Error|Exception): ", text) is not None
        if how in DISGUISES and "Traceback" not in text:
            said = named(DISGUISES[how](text))
        elif how in ONE_LINE and raised and "\n" not in text:
            said = named(ONE_LINE[how](text))
        else:
            continue
        if said != wording["unit"]:
            wrong.append((wording["unit"], said, text[:80]))
    assert not wrong
