"""Error messages: a module or name is imported that this PyTorch does not have."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.version._shared_explain import asks_itself, calling_package
from keng.rules import explains
from keng.tables import libraries, moved_symbols

BUILT_WITHOUT = (
    "ReduceOp ProcessGroup is_initialized init_process_group get_rank get_world_size group"
)
"""What `torch.distributed` has wherever it was built in."""


MIXED = "PyTorch itself asks for it, so that files of two versions are mixed; restart a notebook's kernel, else uninstall torch until none is left, then install"


NO_DISTRIBUTED = "this PyTorch was built without torch.distributed, as some for Windows, macOS and Jetson are; torch.distributed.is_available() tells"


@explains("not-in-this-version")
def not_in_this_version(failure: Failure) -> Hits:
    name, what = failure.groups.get("name", ""), failure.groups.get("what", "")
    mixed = what and asks_itself(failure, library := name.partition(".")[0])
    if libraries.of_name(name, what) or (mixed and library in libraries.LIBRARIES):
        return  # library-version-mismatch tells more of it
    if name == "torch.distributed" and what in BUILT_WITHOUT.split():
        yield failure.hit(say("not-there", why=what, NO_DISTRIBUTED=NO_DISTRIBUTED))
        return
    says = moved_symbols.told(name, what, "has no attribute" in failure.message)
    in_python = "cannot import" in failure.message or (name == "torch._C" and what[0] != "_")
    if mixed and library == "torch" and in_python:
        says = f"`{name}.{what}` is not there: {MIXED}"
    yield failure.hit(
        says.replace("what asks for it", calling_package(failure, " ") or "what asks for it")
    )


@explains("not-said-of-which-module")
def not_said_of_which_module(failure: Failure) -> Hits:
    """Python 2 and 3.6 do not say it, nor does a line that was cut off; the code does."""
    what = failure.groups["what"]
    line = failure.frames[-1].text if failure.frames else failure.surrounding
    asked = re.search(rf"\b(?:torch|nn)\.(?:\w+\.)*{what}\b", line)
    source = re.search(r"\bfrom (torch(?:vision|audio|text|ao)?(?:\.\w+)*) import", line)
    home = f"{source[1]}.{what}" if source and "cannot import" in failure.message else ""
    full = asked[0] if asked else home
    if full:
        module, _, name = (f"torch.{full}" if full[:3] == "nn." else full).rpartition(".")
        yield failure.hit(moved_symbols.told(module, name, False))


@explains("function-that-became-a-module")
def function_that_became_a_module(failure: Failure) -> Hits:
    what = failure.groups["what"]
    last = failure.frames[-1].text if failure.frames else failure.surrounding
    if re.search(rf"\baten\.\w+\.{what}\b", last):
        yield failure.hit(
            say(
                "operators-torch-have-no",
                asker=what,
                value=calling_package(failure, " ") or "what asks for it",
            )
        )
    elif f"torch.fft.{what}" in (failure.line or failure.surrounding):
        yield failure.hit(say("function-here-module-since"))


@explains("asked-by-a-package")
def asked_by_a_package(failure: Failure) -> Hits:
    yield failure.hit(say("not-there-package-asks", what=failure.groups["what"]))
