"""Runs the probes one after the other, the most telling first, within the time that they are given."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace

from torch.nn import Module

from keng.run.probes.call import Call
from keng.run.probes.causal_probes import causal, label, prefix
from keng.run.probes.copies import NotCopied, check_apart, check_fits, unwrapped
from keng.run.probes.findings import findings
from keng.run.probes.gradient_probes import reach
from keng.run.probes.input_probes import context, dead
from keng.run.probes.neutral import unnoticed
from keng.run.probes.padding_probes import pad_amount, pad_content, pad_loss, pad_row
from keng.run.probes.repeat_probes import repeat, state
from keng.run.probes.results import Family, Outcome, Report
from keng.run.probes.row_probes import alone, mix, permute
from keng.run.probes.stage import Skip, Stage
from keng.run.probes.texts import text

PROBES: dict[str, tuple[Family, Callable[[Stage], Outcome]]] = {
    "mix": ("rows", mix),
    "causal": ("causal", causal),
    "pad_content": ("padding", pad_content),
    "pad_row": ("padding", pad_row),
    "pad_amount": ("padding", pad_amount),
    "alone": ("rows", alone),
    "prefix": ("causal", prefix),
    "permute": ("rows", permute),
    "repeat": ("repeat", repeat),
    "state": ("state", state),
    "label": ("labels", label),
    "pad_loss": ("padding", pad_loss),
    "dead": ("inputs", dead),
    "context": ("inputs", context),
    "reach": ("gradients", reach),
}
"""Each probe with its family, in the order in which they run."""


def probe_run(call: Call, seconds: float | None = None, exempt: Collection[str] = ()) -> Report:
    """All probes of one call of a model that apply to it.

    `seconds` bounds the time: probes that do not begin in time are skipped. `exempt` names families or probes
    that the model is not meant to satisfy; so does its attribute `keng_exempt`. Nothing of the model, its
    inputs or the program differs afterwards, and no exception of a probe comes out.
    """
    began = time.perf_counter()
    try:
        call = replace(call, model=unwrapped(call.model))
        check_apart(call.model)
        check_fits(call.model)
        with unnoticed(call.model):
            report = _probed(Stage(call, seconds), _exempt(call.model, exempt))
    except NotCopied as error:
        report = Report(refusal=error.text)
    except Exception as error:
        report = Report(refusal=text("refused-raised", error=_line(error)))
    return replace(report, seconds=time.perf_counter() - began)


def _exempt(model: Module, exempt: Collection[str]) -> set[str]:
    return {*exempt, *getattr(model, "keng_exempt", ())}


def _probed(stage: Stage, exempt: set[str]) -> Report:
    if not any(bool(each.isfinite().any()) for _, each in stage.base_outputs):
        return Report(refusal=text("refused-not-finite"))
    outcomes = [
        _outcome(name, stage)
        for name, (family, _) in PROBES.items()
        if name not in exempt and family not in exempt
    ]
    return Report(tuple(outcomes), tuple(findings(stage, outcomes)))


def _outcome(name: str, stage: Stage) -> Outcome:
    family, probe = PROBES[name]
    try:
        return probe(stage)
    except Skip as skip:
        return Outcome(name, family, "skipped", seen=skip.text)
    except Exception as error:  # the user's forward with another batch
        return Outcome(name, family, "skipped", seen=text("skip-raised", error=_line(error)))


def _line(error: Exception) -> str:
    first = (str(error).strip().splitlines() or [""])[0][:200]
    return f"{type(error).__name__}: {first}"
