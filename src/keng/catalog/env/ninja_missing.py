r"""The tool that builds extensions is not there.

`torch.utils.cpp_extension.load` writes a plan of the build and has `ninja` carry it out; torch brings no
copy of it. What counts is the program that the shell would find: a package `ninja` that is installed into another
environment, or whose scripts are not on `PATH`, as in a notebook or a service, does not help.

Cure: `pip install ninja` with the Python that runs the program, and see that `ninja --version` answers there.

Bad:

```python
import os

os.environ["PATH"] = ""
from torch.utils.cpp_extension import verify_ninja_availability

verify_ninja_availability()  # seen: no ninja on the way
```

Good:

```python
from torch.utils.cpp_extension import is_ninja_available

compiled = is_ninja_available()  # else plain PyTorch, which is slower
```

Message (torch 1.5 to 2.13, a setup.py; `slowly`):

```text
UserWarning: Attempted to use ninja as the BuildExtension backend but we could not find ninja.. Falling back to using the slow distutils backend.
```

Message (torch 2.13; `pip install ninja`):

```text
AssertionError: ninja is required to build sycl extensions.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"\b[Nn]inja is required to (?:load [Cc]\+\+ extensions|build \w+ extension)", odds=0.97
)
def no_ninja(failure: Failure) -> Hits:
    yield failure.hit(
        "extensions are built by ninja, and PATH has none: pip install ninja with the Python that runs this"
    )


@pitfall.explains(r"use ninja as the BuildExtension backend but we could not find", odds=0.6)
def built_without(failure: Failure) -> Hits:
    yield failure.hit(
        "without ninja the build goes on slowly, one file at a time; where it fails, the first `error:` below is the cause"
    )
