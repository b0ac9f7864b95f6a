"""Error messages: a library beside PyTorch is of another version than the code that calls it."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.pitfalls.version._shared_explain import asks_itself, calling_package
from keng.rules import explains
from keng.tables import libraries

UNPICKLES = "pickle.load("


USERS = re.compile(r"(?!.*(?:-packages|[/\\]src)[/\\]).*[/\\]")


@explains("name-of-another-version")
def name_of_another_version(failure: Failure) -> Hits:
    module, what = failure.groups["module"], failure.groups.get("what", "")
    if not what and UNPICKLES in failure.line:
        return  # class-not-found-at-load tells whose file asks for it
    change, mixed = libraries.of_name(module, what), what and asks_itself(failure, module)
    if change is not None and not mixed and USERS.match(failure.groups.get("file", "")) is None:
        what = f"`{change.place}.{change.name}`"
        yield failure.hit(change.told(what, calling_package(failure, change.word)))
    elif mixed:
        yield failure.hit(
            f"the installed {module.partition('.')[0]} asks its own `{module}` for `{what}`, which is not there: two versions are mixed; restart a notebook's kernel, else uninstall it until none is left, then install"
        )


@explains("member-of-another-version")
def member_of_another_version(failure: Failure) -> Hits:
    owner, function, name = (failure.groups.get(key, "") for key in ("owner", "function", "name"))
    line = failure.line or failure.surrounding
    owners = [f"{owner}."] if owner else libraries.owners(function, line)
    changes = libraries.of_member(owners, name) or libraries.well_known(function, name, line)
    shown = [change for change in changes if _spoken_of(failure, change.word)]
    found = shown or [change for change in changes if change.tells and failure.code is None]
    if len({change.library for change in found}) == 1:
        what = f"`{found[0].name}` of {found[0].owner}"
        says = found[0].told(what, calling_package(failure, found[0].word))
        yield failure.hit(says, sure=bool(shown) or not failure.frames)


@explains("weights-by-name")
def weights_by_name(failure: Failure) -> Hits:
    if "torchvision/models/" in failure.raised_in:
        yield failure.hit(
            "the models of torchvision take `weights` since 0.13, and the one that is installed is older: pretrained=True, or pip install -U torchvision with its torch"
        )


@explains("told-by-what-stands-beside")
def told_by_what_stands_beside(failure: Failure) -> Hits:
    image = failure.groups["image"]
    if image and (failure.contains("monai") or libraries.MONAIS.match(image)):
        yield failure.hit(
            f"MONAI puts no `{image}_meta_dict` beside an image since 1.3, as it is in the image: batch['{image}'].meta, or LoadImaged(..., image_only=False)"
        )
    elif not image and (failure.contains("loss_dict") or failure.contains("detectron2")):
        yield failure.hit(libraries.DETECTRON2)


@explains("hook-that-went")
def hook_that_went(failure: Failure) -> Hits:
    what, gone, who, to = (failure.groups[key] for key in ("what", "gone", "who", "to"))
    yield failure.hit(
        f"Lightning {gone} does not call `{what}` of `{who}` any more: `{to}`, with what the steps give kept in a list of the module's own"
    )


def _spoken_of(failure: Failure, word: str) -> bool:
    """Whether the text, or the file that it names, speaks of the library: others have a Trainer too."""
    code = failure.code.text if failure.code is not None else ""
    return failure.contains(word) or word in code
