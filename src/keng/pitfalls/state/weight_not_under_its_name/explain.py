"""Error messages: a loader does not find a weight, or a whole network, under its name."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables.state_names import WRAPPERS


@explains("no-such-weight")
def no_such_weight(failure: Failure) -> Hits:
    own = failure.frames and failure.frames[-1].text.startswith("raise ")
    wrapper = next((part for part in WRAPPERS if part in failure.groups["key"].split(".")), "")
    if failure.kind == "KeyError" and not own and wrapper in ("module", "_orig_mod"):
        yield failure.hit(
            f"one side has `{wrapper}.` before its names and the other has not, as of a model in DataParallel or torch.compile: "
            "key.removeprefix(...), or the model inside"
        )
    elif failure.kind == "KeyError" and not own:
        yield failure.hit(
            f"`{failure.groups['key']}` is in the file or in the model, not in both: of another model, version or configuration, "
            "or packed in fewer bits than the loader was told"
        )


@explains("part-not-in-the-file")
def part_not_in_the_file(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file has no `{failure.groups['key']}` that fits: it may hold one network alone, not the whole run; print its keys()"
    )


@explains("adapter-of-another-kind")
def adapter_of_another_kind(failure: Failure) -> Hits:
    yield failure.hit(
        "the LoRA file has names that this pipeline cannot place: made for another model or by another trainer; a newer diffusers may know them"
    )
