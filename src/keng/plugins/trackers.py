"""Where findings go: W&B, MLflow, trackio and TensorBoard.

    with keng.watch() as watching:
        train()
    trackers.to_wandb(watching.result)

Each takes the result of `keng.watch()` and writes to the run that is active: findings as alerts or
tags, the report as an artifact. The library is imported when its function is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from keng.cli.options import locale
from keng.model import Finding
from keng.report.findings import place
from keng.report.translation import findings_in
from keng.run.findings import Result

PAGE = "keng_report.html"
LONGEST = 250
"""Characters of a tag, which trackers limit."""


def to_wandb(result: Result, run: Any = None) -> None:
    """An alert and a tag for each finding, the report as an artifact; `run` is by default the
    active one. Raises RuntimeError where there is none."""
    import wandb

    run = run or wandb.run
    if run is None:
        raise RuntimeError("there is no active run of W&B: call wandb.init() first")
    levels = {"error": "ERROR", "warning": "WARN", "hint": "INFO"}
    for finding in _said(result):
        level = getattr(wandb.AlertLevel, levels[finding.severity])
        run.alert(title=f"keng: {finding.pitfall}", text=_line(finding), level=level)
    run.tags = (*(run.tags or ()), *(tag for tag in _tags(result) if tag not in (run.tags or ())))
    with TemporaryDirectory(prefix="keng-") as folder:
        artifact = wandb.Artifact("keng-report", type="report")
        artifact.add_file(_page(result, folder), PAGE)
        run.log_artifact(artifact)


def to_mlflow(result: Result) -> None:
    """A tag for each finding, `keng.PITFALL`, and the report as an artifact of the active run."""
    import mlflow

    mlflow.set_tags({f"keng.{each.pitfall}": _line(each)[:LONGEST] for each in _said(result)})
    mlflow.log_text(_html(result), PAGE)


def to_trackio(result: Result) -> None:
    """An alert for each finding of the active run, and the report as an artifact."""
    import trackio

    levels = {"error": "ERROR", "warning": "WARN", "hint": "INFO"}
    for finding in _said(result):
        level = getattr(trackio.AlertLevel, levels[finding.severity])
        trackio.alert(title=f"keng: {finding.pitfall}", text=_line(finding), level=level)
    with TemporaryDirectory(prefix="keng-") as folder:
        artifact = trackio.Artifact("keng-report", type="report")
        artifact.add_file(_page(result, folder))
        trackio.log_artifact(artifact)


def to_tensorboard(result: Result, writer: Any) -> None:
    """A text `keng/PITFALL` for each finding, at the step in which it was first seen; `writer` is a
    SummaryWriter."""
    for finding in _said(result):
        step = finding.first.removeprefix("step ")
        at = int(step) if step.isdecimal() else 0
        writer.add_text(f"keng/{finding.pitfall}", f"**{finding.severity}** {_line(finding)}", at)
    writer.add_text("keng/report", f"```\n{result}\n```")


def _said(result: Result) -> Iterator[Finding]:
    """The findings that are sure, in the language of the reader."""
    yield from (each for each in findings_in(locale(), result.findings) if each.hit.sure)


def _tags(result: Result) -> list[str]:
    return sorted({f"keng:{each.pitfall}"[:LONGEST] for each in _said(result)})


def _line(finding: Finding) -> str:
    where = f" ({place(finding.hit.where)})" if finding.hit.where is not None else ""
    return f"{finding.hit.says}{where}"


def _html(result: Result) -> str:
    return f"<!doctype html><meta charset='utf-8'><title>keng</title>{result._repr_html_() or ''}"


def _page(result: Result, folder: str) -> str:
    file = Path(folder, PAGE)
    file.write_text(_html(result), "utf-8")
    return str(file)
