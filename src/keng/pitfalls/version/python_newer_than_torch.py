r"""Python or setuptools no longer has what an older PyTorch, or a library over it, asks for.

`distutils` and `imp` were taken out of Python 3.12. setuptools brings a `distutils` of its own, whose `version` is not imported by itself since 59.6, and
which PyTorch up to 1.10 counts on for TensorBoard; setuptools 70 no longer shows `packaging` in `pkg_resources`, from which PyTorch up to 2.1 takes it for
building extensions, and 82 has no `pkg_resources` any more. Libraries over PyTorch age in the same way: Python 3.10 took the abstract classes out of `collections`, 3.11
`inspect.getargspec`; since 3.11 a dataclass refuses the object of another as a default, and an enum is formatted by its name, which Lightning up to 1.5 does not expect.

Cure: a newer PyTorch or library, which does without, or the Python of its time; else an older setuptools, `pip install "setuptools<70"`, for TensorBoard
`"setuptools<59.6"`; for code of one's own `importlib` in place of `imp`.

Bad:

```python
import distutils

version = distutils.version.LooseVersion("1.0")
```

Good:

```python
import importlib.metadata

print(importlib.metadata.version("torch"))
```

Message (torch 1.10; `setuptools<59.6`):

```text
AttributeError: module 'distutils' has no attribute 'version'
```

Message (torch 2.0; `setuptools<70`):

```text
ImportError: cannot import name 'packaging' from 'pkg_resources' (/env/lib/python3.10/site-packages/pkg_resources/__init__.py)
```

Message (torch 2.0, Python 3.12; `distutils`):

```text
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    from torch.utils.cpp_extension import load
  File "/env/lib/python3.12/site-packages/torch/utils/cpp_extension.py", line 28, in <module>
    from pkg_resources import packaging
ModuleNotFoundError: No module named 'pkg_resources'
```

Message (torch 1.5 to 1.7 under Windows, a newer setuptools; `private name`):

```text
ImportError: cannot import name '_nt_quote_args' from 'distutils.spawn' (C:\env\lib\distutils\spawn.py)
```

Message (Lightning 1.4 and 1.5, Python 3.11; `1.5`):

```text
AttributeError: 'ShapesDataModule' object has no attribute '_has_setup_TrainerFn.FITTING'
```

Message (fairseq 0.12, Python 3.11; `Python 3.10`):

```text
ValueError: mutable default <class 'fairseq.dataclass.configs.CommonConfig'> for field common is not allowed: use default_factory
```

Message (an older torchtext, Python 3.10; `collections.Mapping`):

```text
  File "/env/lib/python3.10/site-packages/torchtext/data/batch.py", line 2, in <module>
    from collections import Mapping
ImportError: cannot import name 'Mapping' from 'collections' (/usr/lib/python3.10/collections/__init__.py)
```

Message (an older torch, Python 3.11; `inspect.getargspec`):

```text
  File "/env/lib/python3.11/site-packages/torch/nn/parallel/replicate.py", line 15, in replicas
    names = inspect.getargspec(function)
AttributeError: module 'inspect' has no attribute 'getargspec'. Did you mean: 'getargs'?
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an older torch")

OVER_TORCH = re.compile(
    r"-packages/(torch\w*|fairseq|pytorch_lightning|timm|transformers|nemo|espnet2?|TTS|detectron2|mm\w{2,10}|dgl|flair|allennlp|kornia)/"
)
SINCE = {
    "collections": "3.10",
    "fractions": "3.9",
    "inspect": "3.11",
    "asyncio": "3.11",
    "time": "3.8",
}
"""The Python that took a name out of a module of its own."""


@pitfall.explains(r"module 'distutils' has no attribute 'version'", odds=0.93)
def version_not_imported(failure: Failure) -> Hits:
    yield failure.hit(
        'PyTorch up to 1.10 counts on an older setuptools: pip install "setuptools<59.6", or a newer PyTorch'
    )


@pitfall.explains(r"cannot import name '_nt_quote_args' from 'distutils", odds=0.95)
def private_name_gone(failure: Failure) -> Hits:
    yield failure.hit(
        'this PyTorch, under Windows, takes a private name of distutils that newer setuptools lack: pip install "setuptools<59.6", or a newer PyTorch'
    )


@pitfall.explains(r"cannot import name 'packaging' from 'pkg_resources'", odds=0.95)
def packaging_moved(failure: Failure) -> Hits:
    yield failure.hit(
        'torch.utils.cpp_extension up to 2.1 takes packaging from setuptools: pip install "setuptools<70", or a newer PyTorch'
    )


@pitfall.explains(r"No module named '(?P<name>distutils|imp|pkg_resources)(?:\.\w+)?'", odds=0.95)
def gone_from_python(failure: Failure) -> Hits:
    if any("site-packages/torch/" in frame.path for frame in failure.frames[-3:]):
        name = failure.groups["name"]
        yield failure.hit(
            f"this PyTorch asks for `{name}`, which this Python or setuptools has no longer (distutils and imp: 3.12): a newer PyTorch, or "
            'pip install "setuptools<70"'
        )


NAMES = (
    "getargspec|formatargspec|gcd|coroutine|clock|Iterable|Iterator|Callable|Hashable|Sized|Container|"
    "(?:Mutable)?(?:Mapping|Sequence|Set)"
)


@pitfall.explains(
    rf"module '(?P<module>collections|fractions|inspect|asyncio|time)' has no attribute '(?P<name>{NAMES})'",
    rf"cannot import name '(?P<name>{NAMES})' from '(?P<module>collections|fractions|inspect)'",
    odds=0.95,
)
def gone_from_a_module(failure: Failure) -> Hits:
    module, name = failure.groups["module"], failure.groups["name"]
    if asker := OVER_TORCH.search(failure.raised_in):
        yield failure.hit(
            f"this {asker[1]} asks for `{module}.{name}`, which Python has no longer since {SINCE[module]}: a newer {asker[1]}, or an older Python"
        )


@pitfall.explains(r"object has no attribute '_has_(?:setup|teardown)_TrainerFn\.[A-Z]+'", odds=0.97)
def enum_by_its_name(failure: Failure) -> Hits:
    yield failure.hit(
        "Lightning up to 1.5 does not know how Python 3.11 formats an enum: Python 3.10 or older, or pip install 'pytorch-lightning>=1.6' and what it renamed"
    )


@pitfall.explains(
    r"mutable default <class '(?P<library>\w{1,40})\.(?P<kind>[\w.]{1,100})'> for field (?P<field>\w{1,60}) is not allowed: use default_factory",
    odds=0.97,
)
def default_that_may_change(failure: Failure) -> Hits:
    library = failure.groups["library"]
    if OVER_TORCH.search(f"-packages/{library}/") or failure.beside_torch:
        yield failure.hit(
            f"{library} is older than Python 3.11, whose dataclasses take no object as a default: Python 3.10, or a newer {library}; in code of one's own field(default_factory=...)"
        )
