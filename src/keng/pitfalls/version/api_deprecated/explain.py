"""Error messages: a name of PyTorch that was renamed, replaced or taken away is still in use."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.version._shared_explain import calling_package
from keng.pitfalls.version._shared_names import told_of_old
from keng.rules import explains
from keng.tables.removed_symbols import OLD_NAMES


@explains("old-name-in-message")
def old_name_in_message(failure: Failure) -> Hits:
    home, name = failure.groups.get("home", ""), failure.groups["name"]
    name = f"{home}.{name}" if home else re.sub(r"^nn\.", "torch.nn.", name)
    known = OLD_NAMES.get(name)
    if known is not None and (
        known.removed or re.search("deprecated|renamed", failure.message)
    ):  # not too new
        who, says = calling_package(failure, " "), told_of_old(known, name)
        if who and failure.kind.endswith("Warning"):
            says = say("outdated-in-package", outdated=says, who=who)
        elif who and known.removed:
            says = say("removed-and-asked", removed=known.removed, name=name, who=who)
        yield failure.hit(says)


@explains("removed-function")
def removed_function(failure: Failure) -> Hits:
    called = re.search(r"\.(\w+)\(", failure.line)
    name = f"torch.{called[1]}" if called else ""
    known = OLD_NAMES.get(name)
    yield failure.hit(told_of_old(known, name) if known else say("torch-linalg-has-what"))


@explains("function-that-is-a-module")
def function_that_is_a_module(failure: Failure) -> Hits:
    if re.search(r"\btorch\.fft\(", failure.line or failure.surrounding):
        yield failure.hit(say("torch-fft-module-since"))
