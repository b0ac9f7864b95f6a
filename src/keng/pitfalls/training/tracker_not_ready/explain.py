"""Error messages: what an Accelerator is to report to is not installed, not begun, or has no folder."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-folder")
def no_folder(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['name']} writes files, and the Accelerator is told no folder: Accelerator(..., project_dir=...)"
    )


@explains("not-installed")
def not_installed(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['name']} is not installed where this runs, and nothing is reported: pip install it with the same Python"
    )


@explains("other-trackers-alone")
def other_trackers_alone(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the Accelerator reports to other trackers than {name}: '{name}' in log_with, and the package installed"
    )
