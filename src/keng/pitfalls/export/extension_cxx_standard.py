r"""An extension asks for an older C++ than PyTorch's headers are written in.

PyTorch's headers need C++14 since 1.5 and C++17 since 2.1. An extension whose `setup.py` says `-std=c++14` overrules the
flag that `torch.utils.cpp_extension` puts in by itself, and the headers refuse to compile. The last line, "Error
compiling objects for extension", says only that something went wrong: the compiler's first error stands far above.

Cure: no `-std=` flag at all: PyTorch adds the one that it needs.

Bad:

```python
from torch.utils.cpp_extension import CppExtension

extension = CppExtension(
    "twice",
    ["twice.cpp"],
    extra_compile_args={"cxx": ["-O3", "-std=c++14"]},  # here: `C++17`
)
```

Proof:

```python
from pathlib import Path

import torch

assert "-std=c++14" in extension.extra_compile_args["cxx"]
headers = Path(torch.__file__).parent / "include"
assert "#error C++17 or later" in (headers / "ATen" / "ATen.h").read_text()
```

Bad (by a name):

```python
from torch.utils.cpp_extension import CppExtension

flags = ["-O2", "-std=c++11"]  # here: too old as well
extension = CppExtension("twice", ["twice.cpp"], extra_compile_args=flags)
```

Proof:

```python
assert "-std=c++11" in extension.extra_compile_args
```

Good:

```python
from torch.utils.cpp_extension import CppExtension

extension = CppExtension("twice", ["twice.cpp"], extra_compile_args={"cxx": ["-O3"]})
```

Fine (new enough; for a version that asks for no more; another compiler's business):

```python
# /// script
# dependencies = ["torch>=1.8,<2"]
# ///
import subprocess

from torch.utils.cpp_extension import CppExtension

newer = CppExtension("twice", ["twice.cpp"], extra_compile_args=["-std=c++20"])
old = CppExtension("twice", ["twice.cpp"], extra_compile_args=["-std=c++14"])
command = ["g++", "-std=c++11", "tool.cpp"]
```

Message (torch 2.1 to 2.13):

```text
/opt/venv/lib/python3.11/site-packages/torch/include/ATen/ATen.h:5:2: error: #error C++17 or later compatible compiler is required to use ATen.
    5 | #error C++17 or later compatible compiler is required to use ATen.
      |  ^~~~~
```

Message (torch 1.5 to 2.13):

```text
  File "/opt/venv/lib/python3.11/site-packages/torch/utils/cpp_extension.py", line 2107, in _run_ninja_build
    raise RuntimeError(message) from e
RuntimeError: Error compiling objects for extension
```

Message (torch 1.5 to 2.0; `C++14`):

```text
/env/lib/python3.8/site-packages/torch/include/c10/util/C++17.h:16:2: error: #error You need C++14 to compile PyTorch
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

STANDARDS = {"c++11": 11, "c++0x": 11, "c++14": 14, "c++1y": 14, "gnu++11": 11, "gnu++14": 14}


@pitfall.finds(fixes=True)
def older_than_the_headers(code: Code) -> Hits:
    for flag, standard in code.build_flags():
        needed = 17 if code.torch_at_least("2.1") is not False else 14
        if STANDARDS.get(standard, 99) < needed and code.torch_at_least("1.5") is not False:
            fix = Fix(f"Ask for C++{needed}", (code.replace(flag, f'"-std=c++{needed}"'),))
            yield code.hit(flag, f"the headers of PyTorch need C++{needed}", fix=fix)


@pitfall.explains(
    r"C\+\+(?P<needed>\d\d) or later compatible compiler is required",
    r"You need C\+\+(?P<needed>\d\d) to compile PyTorch",
    odds=0.97,
)
def refused_by_the_headers(failure: Failure) -> Hits:
    needed = failure.groups["needed"]
    yield failure.hit(
        f"the extension is built for less than C++{needed}: drop the -std= flag of its setup.py or write -std=c++{needed}, or a release of "
        "it for this PyTorch"
    )


@pitfall.explains(r"Error (?:compiling objects for|building) extension", odds=0.5)
def not_the_first_error(failure: Failure) -> Hits:
    says = "this is only the last line: the compiler's first error, further up, tells the cause"
    yield failure.hit(says, sure=False)
