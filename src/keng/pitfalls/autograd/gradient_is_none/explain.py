"""Error messages: a gradient is read where there is none."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

READ = re.compile(r"(?P<of>(?:\w+\.){0,6}\w+(?:\[[^\]\n]{0,40}\])?)\.grad\b(?! ?(?:=[^=]|is\b))")


HANDED = re.compile(r"\b(?P<of>grad_?(?P<side>in|out)\w{0,6}\[\d\])(?! (?:is|==|!=))")


HOOKED = re.compile(
    r"(?P<of>(?:\w+\.){0,4}(?:gradients?|grads|activations?|feature_maps?))(?=\.(?!grad)|\[)"
)


FILLED = re.compile(
    r"(?P<of>(?:\w+\.){0,4}(?:get_)?(?:gradients?|grads(?:_list)?|activations?|features?_blobs?)(?:\(\))?)\["
)


MAPS = re.compile(r"hook|cam\b|_cam|cam_|saliency|backprop", re.IGNORECASE)

PARAMETER = re.compile(r"(?:\w+\.)*(?:p|q|param|parameter)s?\d?(?:\[.{0,40}\])?")
IMAGE = re.compile(
    r"(?:\w+\.)*(?:x|im|img|images?|data|inputs?|noise|delta|adv\w*|perturb\w*)(?:_\w{1,10})?"
)
UPDATES = r"zero_|\b{}(?:\.data)? ?-|\blr\b|learning_rate"


@explains("none-was-kept")
def none_was_kept(failure: Failure) -> Hits:
    last = failure.frames[-1] if failure.frames else None
    filled = FILLED.search(last.text) if last is not None else None
    if filled is not None and any(MAPS.search(f"{f.path} {f.text}") for f in failure.frames):
        yield failure.hit(say("hooks-fill-has-too", of=filled["of"]))


@explains("read-before-it-is-there")
def read_before_it_is_there(failure: Failure) -> Hits:
    line = failure.line or failure.surrounding
    last = failure.frames[-1].text if failure.frames else ""
    if handed := HANDED.search(last):
        of = handed["of"]
        yield failure.hit(
            say("input-of-hook", of=of) if handed["side"] == "in" else say("output-of-hook", of=of)
        )
    elif failure.groups.get("given"):
        return
    elif read := READ.findall(line):
        yield failure.hit(_without_gradient(read[-1], line))
    elif hooked := HOOKED.search(failure.line):
        yield failure.hit(say("hook-fill-none-layer", of=hooked["of"]))
    elif failure.groups["name"] == "zero_" and _may_be_of_a_gradient(failure):
        yield failure.hit(say("there-no-gradient-yet"))


def _may_be_of_a_gradient(failure: Failure) -> bool:
    """Whether the lines that are shown speak of gradients, or none are shown: weights are filled with zeros too."""
    shown = "\n".join(frame.text for frame in failure.frames)
    shown = shown if failure.frames else failure.surrounding
    return not CALLS.search(shown) or GRADIENTS.search(shown) is not None


CALLS = re.compile(r"\b[A-Za-z_]\w{0,60}\(")
GRADIENTS = re.compile(r"grad|backward|optim", re.IGNORECASE)


def _without_gradient(name: str, line: str) -> Message:
    """Why `.grad` of what is called so is None."""
    if PARAMETER.fullmatch(name):
        return say("parameter-without-gradient", of=name)
    if re.search(UPDATES.format(re.escape(name)), line):
        return say("replaced-by-result", of=name)
    if IMAGE.fullmatch(name):
        return say("image-without-gradient", of=name)
    return say("only-leaves-have-one", of=name)
