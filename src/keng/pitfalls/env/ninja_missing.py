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

Message (torch 1.0 to 2.13, cut short; `pip install ninja`):

```text
  File "/home/u/.local/lib/python3.5/site-packages/torch/utils/cpp_extension.py", line 873, in verify_ninja_availability
    subprocess.check_call('ninja --version'.split(), stdout=devnull)
  File "/usr/lib/python3.5/subprocess.py", line 1551, in _execute_child
    raise child_exception_type(errno_num, err_msg)
FileNotFoundError: [Errno 2] No such file or directory: 'ninja'
```

Message (torch 2.13; `pip install ninja`):

```text
AssertionError: ninja is required to build sycl extensions.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


NONE = "extensions are built by ninja, and PATH has none: pip install ninja with the Python that runs this"


@pitfall.explains(
    r"\b[Nn]inja is required to (?:load [Cc]\+\+ extension|build \w+ extension)", odds=0.97
)
def no_ninja(failure: Failure) -> Hits:
    yield failure.hit(NONE)


@pitfall.explains(r"No such file or directory: 'ninja'|\[WinError 2\]", odds=0.96)
def not_to_be_run(failure: Failure) -> Hits:
    asked = any("ninja --version" in frame.text for frame in failure.frames)
    if asked or ("'ninja'" in failure.message and failure.beside_torch):
        yield failure.hit(NONE)


@pitfall.explains(r"use ninja as the BuildExtension backend but we could not find", odds=0.6)
def built_without(failure: Failure) -> Hits:
    yield failure.hit(
        "without ninja the build goes on slowly, one file at a time; where it fails, the first `error:` below is the cause"
    )
