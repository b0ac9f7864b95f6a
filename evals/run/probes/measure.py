"""Runs the probes over a set: faults found, lines right, false alarms, neutrality to the bit.

python evals/run/probes/measure.py known|unseen [part of a name]
"""

from __future__ import annotations

import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import architectures
import fingerprint
import torch

from keng.run.probes import Call, probe_run
from keng.run.probes.nested import rebuild
from keng.run.probes.results import Report


@dataclass
class Tally:
    """What has been counted so far."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def main(args: list[str]) -> int:
    device = args.pop(args.index("--device") + 1) if "--device" in args else "cpu"
    which, *parts = [each for each in args if each != "--device"]
    part = parts[0] if parts else ""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    tally = Tally()
    for case in [*architectures.clean(which), *architectures.mutants(which)]:
        if part in case.name:
            for line in measured(case, tally, device):
                print(line, flush=True)
    counts = tally.counts
    print(
        f"\nclean {counts['clean']}: likely {counts['false likely']}, possible {counts['false possible']}"
    )
    for kind in ("rows", "causal", "padding"):
        print(
            f"{kind}: found {counts[f'{kind} found']} of {counts[kind]}, "
            f"line right {counts[f'{kind} line']} of {counts[f'{kind} found']}"
        )
    print(f"changed by probing: {counts['changed']} of {counts['cases']}; {tally.seconds:.0f} s")
    return 0


def measured(case: architectures.Case, tally: Tally, device: str) -> Iterator[str]:
    call = Call(**trained(moved(case.call(), device)))
    before = fingerprint.of(call)
    began = time.perf_counter()
    report = probe_run(call)
    tally.seconds += time.perf_counter() - began
    tally.counts["cases"] += 1
    if (after := fingerprint.of(call)) != before:
        tally.counts["changed"] += 1
        yield f"CHANGED {case.name}: {[key for key in before if before[key] != after.get(key)]}"
    yield from _judged(case, report, tally.counts)


def moved(given: dict[str, Any], device: str) -> dict[str, Any]:
    given["model"].to(device)
    for part in {"args", "kwargs", "targets"} & set(given):
        given[part] = rebuild(given[part], lambda path, each: each.to(device))
    return given


def trained(given: dict[str, Any]) -> dict[str, Any]:
    """After one step of training, as in a run; none where its loss is not finite."""
    model, loss = given["model"], given.get("loss")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    if loss is not None:
        model.train()
        value = loss(model(*given.get("args", ()), **given.get("kwargs", {})), given.get("targets"))
        value.backward()
        if value.isfinite():
            optimizer.step()
        given["optimizer"] = optimizer
    return given


def _judged(case: architectures.Case, report: Report, counts: Counter[str]) -> Iterator[str]:
    if report.refused:
        yield f"REFUSED {case.name}: {report.refused}"
    for each in report.everything:
        place = each.place
        where = (
            f"{Path(place.where.path).name}:{place.where.line} {place.operation} | {place.code}"
            if place and place.where
            else place
        )
        title = case.name if case.kind else f"(clean) {case.name}"
        yield f"  {each.confidence:<8} {title}: {each.pitfall} {'+'.join(each.probes)} @ {where}"
    if not case.kind:
        counts["clean"] += 1
        for confidence in ("likely", "possible"):
            counts[f"false {confidence}"] += sum(
                each.confidence == confidence for each in report.findings
            )
        return
    counts[case.kind] += 1
    own = [each for each in report.findings if each.family == case.kind]
    if not own:
        yield f"MISSED {case.name} ({case.kind}): {[(o.probe, o.verdict, round(o.signal, 2), str(o.seen)) for o in report.outcomes if o.family == case.kind]}"
        return
    counts[f"{case.kind} found"] += 1
    where = own[0].place.where if own[0].place else None
    if where is not None and where.line in case.lines and where.path == case.path:
        counts[f"{case.kind} line"] += 1
    else:
        yield f"LINE {case.name}: {where.line if where else None}, not {case.lines}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
