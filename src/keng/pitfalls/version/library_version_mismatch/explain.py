"""Error messages: a library beside PyTorch is of another version than the code that calls it."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hit, Hits, say
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
    own = USERS.match(failure.groups.get("file", "")) is not None
    if change is not None and not mixed and not own:
        what = f"`{change.place}.{change.name}`"
        installed = _installed(failure, change)
        if not change.is_in(installed):
            yield failure.hit(change.told(what, calling_package(failure, change.word), installed))
    elif mixed:
        yield failure.hit(
            say("installed-asks-own-not", what=module.partition(".")[0], module=module, what_2=what)
        )
    elif what and not own and _has_table(module) and failure.groups.get("file"):
        yield _not_in_installed(failure, module, what)


@explains("member-of-another-version")
def member_of_another_version(failure: Failure) -> Hits:
    owner, function, name = (failure.groups.get(key, "") for key in ("owner", "function", "name"))
    line = failure.line or failure.surrounding
    owners = [f"{owner}."] if owner else libraries.owners(function, line)
    changes = libraries.of_member(owners, name) or libraries.well_known(function, name, line)
    shown = [change for change in changes if _spoken_of(failure, change.word)]
    found = shown or [change for change in changes if change.tells and failure.code is None]
    found = [change for change in found if not change.is_in(_installed(failure, change))]
    if len({change.library for change in found}) == 1:
        what = f"`{found[0].name}` of {found[0].owner}"
        installed = _installed(failure, found[0])
        says = found[0].told(what, calling_package(failure, found[0].word), installed)
        yield failure.hit(says, sure=bool(shown or installed) or not failure.frames)


@explains("weights-by-name")
def weights_by_name(failure: Failure) -> Hits:
    if "torchvision/models/" in failure.raised_in:
        yield failure.hit(say("models-torchvision-take-since"))


@explains("told-by-what-stands-beside")
def told_by_what_stands_beside(failure: Failure) -> Hits:
    image = failure.groups["image"]
    if image and (failure.contains("monai") or libraries.MONAIS.match(image)):
        yield failure.hit(say("monai-puts-no-beside", same=image))
    elif not image and (failure.contains("loss_dict") or failure.contains("detectron2")):
        yield failure.hit(libraries.DETECTRON2)


@explains("hook-that-went")
def hook_that_went(failure: Failure) -> Hits:
    what, gone, who, to = (failure.groups[key] for key in ("what", "gone", "who", "to"))
    yield failure.hit(say("lightning-does-not-call", to=gone, what=what, who=who, to_2=to))


def _has_table(module: str) -> bool:
    return module.partition(".")[0] in libraries.LIBRARIES


def _not_in_installed(failure: Failure, module: str, what: str) -> Hit:
    """The installed version does not have a name of which the table says nothing: it came before the table
    begins, or is one of a few that only other files of the library used."""
    library = module.partition(".")[0]
    installed = failure.versions.get(library, "")
    which = f"{library} {installed}" if installed else f"the installed {library}"
    asker = calling_package(failure, library) or "the code that imports it"
    says = say("name-not-in-installed", name=f"{module}.{what}", which=which, asker=asker)
    return failure.hit(says, sure=False)


def _spoken_of(failure: Failure, word: str) -> bool:
    """Whether the text, or the file that it names, speaks of the library: others have a Trainer too."""
    code = failure.code.text if failure.code is not None else ""
    return failure.contains(word) or word in code


def _installed(failure: Failure, change: libraries.Change) -> str:
    """The version of the library that the text has, "" if it has none."""
    return failure.versions.get(
        change.library.replace("-", "_"), failure.versions.get(change.word, "")
    )
