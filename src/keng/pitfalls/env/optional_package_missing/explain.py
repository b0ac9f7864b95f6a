"""Error messages: a package that is wanted beside PyTorch is not installed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-installed")
def not_installed(failure: Failure) -> Hits:
    name = failure.groups["name"].replace("pynvml", "nvidia-ml-py")
    where = "from ROCm's folder" if name == "amdsmi" else "with the Python that runs this"
    yield failure.hit(f"torch asks {name}, which is not installed or hidden: install it {where}")


PACKAGES = {
    "z3": "z3-solver",
    "etcd": "python-etcd",
    "cuda": "cuda-python",
    "pynvml": "nvidia-ml-py",
}


@explains("asked-by-torch")
def asked_by_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    line = failure.frames[-1].text if failure.frames else ""
    if "-packages/torch/" in failure.raised_in and line.startswith(
        (f"import {name}", f"from {name}")
    ):
        says = f"torch asks {PACKAGES.get(name, name)}, which is not installed or hidden: install it with the Python that runs this"
        yield failure.hit(says)


@explains("library-over-torch")
def library_over_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    says = f"`{name}` is not installed for the Python that runs this: python -m pip install {name.replace('_', '-')}, with the one of the program or web UI, then restart"
    yield failure.hit(says, sure=bool(failure.frames))


LIBRARIES = {"PIL": "pillow", "PyAv": "av", "OpenCV": "opencv-python"}


@explains("asked-by-transformers")
def asked_by_transformers(failure: Failure) -> Hits:
    who, name = failure.groups["who"], failure.groups["name"]
    package = LIBRARIES.get(name, name.lower())
    yield failure.hit(
        f"{who} asks {package}, which this Python does not have, or had not when the kernel began: python -m pip install {package}, then restart"
    )


@explains("asked-by-a-models-code")
def asked_by_a_models_code(failure: Failure) -> Hits:
    names, who = failure.groups["names"].rstrip(".:"), failure.groups.get("who")
    if who:
        yield failure.hit(
            f"the weights are packed by a method whose kernels are in {names}, which is missing: install it with the Python that runs this, then restart"
        )
        return
    flash = " (for a card alone: without one, a newer revision of the model)"
    yield failure.hit(
        f"the code that the model brings imports {names}{flash if 'flash_attn' in names else ''}: install it with the Python that runs this, then restart"
    )
