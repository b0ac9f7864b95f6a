"""Error messages: transforms of torchvision are put together in another way than they are called."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

COMPOSE = ("torchvision/transforms/transforms.py", "torchvision/transforms/v2/_container.py")


@explains("no-list")
def no_list(failure: Failure) -> Hits:
    if not failure.frames or failure.passed_through(*COMPOSE):
        name = failure.groups["name"]
        yield failure.hit(f"Compose takes a list, and `{name}` stands there alone: [{name}()]")


@explains("class-called-with-the-image")
def class_called_with_the_image(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is a class, and is called with the image: {name}() in Compose, {name}()(image) outside"
    )


@explains("several-without-a-list")
def several_without_a_list(failure: Failure) -> Hits:
    came = int(failure.groups["given"]) - 1
    yield failure.hit(f"Compose takes one list, and {came} things are given: Compose([...])")


@explains("no-function")
def no_function(failure: Failure) -> Hits:
    last = failure.frames[-1].text if failure.frames else ""
    if failure.passed_through(*COMPOSE) and "t(img)" in last:
        kind = failure.groups["kind"]
        yield failure.hit(
            f"an entry of Compose is no transform but of kind {kind}: see its commas and brackets"
        )


@explains("argument-left-aside")
def argument_left_aside(failure: Failure) -> Hits:
    names, kind = failure.groups["names"], failure.groups["kind"]
    yield failure.hit(
        f"{kind} of this Albumentations knows no `{names}`, and leaves it aside unless strict=True: see help(A.{kind}) for its name there"
    )


@explains("picture-for-a-tensor")
def picture_for_a_tensor(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is a tensor's, and this is a picture of Pillow: transforms.ToTensor() is missing, or the transform is not called"
    )


@explains("picture-of-other-numbers")
def picture_of_other_numbers(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"]
    cure = "(x * 255).astype('uint8') where x is 0 to 1"
    if "int" in dtype:
        cure = "x.astype('uint8') where x is 0 to 255"
    yield failure.hit(
        f"no picture of Pillow is made of an array of {dtype} and this number of channels: {cure}"
    )
