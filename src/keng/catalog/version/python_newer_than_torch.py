r"""Python or setuptools no longer has what an older PyTorch asks for.

`distutils` and `imp` were taken out of Python 3.12. setuptools brings a `distutils` of its own, whose `version` is not imported by itself since 59.6, and
which PyTorch up to 1.10 counts on for TensorBoard; setuptools 70 no longer shows `packaging` in `pkg_resources`, from which PyTorch up to 2.1 takes it for
building extensions, and 82 has no `pkg_resources` any more.

Cure: a newer PyTorch, which does without; else an older setuptools, `pip install "setuptools<70"`, for TensorBoard
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
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an older torch")


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
