"""Loaders that were measured: as bars, as a page, and as a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keng.report import html
from keng.report.checkpoints import size
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words
from keng.toolbox.tuning.settings import Setting, Tuning

BAR = 16


def record(found: Tuning) -> dict[str, Any]:
    return {
        "best": {**found.best.setting.arguments, "sharing": found.best.setting.sharing},
        "bound": found.bound,
        "shares": {name: round(share, 4) for name, share in found.profile.shares.items()},
        "batch_size": found.batch_size,
        "batch_bytes": found.profile.batch_bytes,
        "shared_bytes": found.shared_bytes,
        "measures": [
            {**m.setting.arguments, "sharing": m.setting.sharing, "samples_per_second": m.rate}
            for m in found.measures
        ],
        "dominated": [str(setting) for setting in found.dominated],
        "too_big": [str(setting) for setting in found.too_big],
        "interrupted": found.interrupted,
        "code": found.code,
    }


def lines(found: Tuning, words: Words, width: int) -> list[Line]:
    told: list[Line] = [[Piece(words("tuned_batch", found.batch_size), "name")]]
    told += [_bar(found, n, words) for n in range(len(found.measures))]
    told += _left_out(found.dominated, "left_out_dominated", words, width)
    told += _left_out(found.too_big, "left_out_big", words, width)
    told += [[], *paragraph(_bound(found, words), width, [])]
    told += paragraph(_needed(found, words), width, [])
    if found.interrupted:
        told.append([Piece(words("tuning_interrupted", len(found.measures)), "warning")])
    return [*told, [], *([Piece(line, "command")] for line in found.code.splitlines())]


def page(title: str, found: Tuning, words: Words) -> str:
    """The same as HTML."""
    return html.filled(
        "loaders.html",
        title=title,
        found=found,
        fastest=max(measure.rate for measure in found.measures),
        bound=_bound(found, words),
        needed=_needed(found, words),
        words=words,
    )


def _bound(found: Tuning, words: Words) -> str:
    shares = words.comma.join(
        f"{words(name)} {share:.0%}" for name, share in found.profile.shares.items()
    )
    return words("bound_by", bound=words(found.bound), colon=words.colon, shares=shares)


def _needed(found: Tuning, words: Words) -> str:
    needed, batch = size(found.shared_bytes), size(found.profile.batch_bytes)
    return words("shm_needed", size=needed, batch=batch)


def _bar(found: Tuning, n: int, words: Words) -> Line:
    """A setting, its rate, and a bar of its share of the best one."""
    measure, longest = found.measures[n], max(len(str(m.setting)) for m in found.measures)
    whole = max(m.rate for m in found.measures)
    best = measure is found.best
    filled = round(BAR * measure.rate / whole)
    return [
        Piece("* " if best else "  ", "name"),
        Piece(f"{measure.setting!s:<{longest}}  ", "name" if best else ""),
        Piece("#" * filled + " " * (BAR - filled), "added" if best else "dim"),
        Piece("  " + words("samples_a_second", rate=f"{measure.rate:.4g}")),
    ]


def _left_out(settings: Sequence[Setting], why: str, words: Words, width: int) -> list[Line]:
    head = [Piece(f"  {words(why)}{words.colon}", "dim")]
    names = "; ".join(map(str, settings))
    return paragraph(names, width, head, "dim") if settings else []
