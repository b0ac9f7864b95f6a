r"""The sources of an extension are not where `load` looks for them.

`torch.utils.cpp_extension.load` reads each source as it is named, and a relative name starts at the folder in which the program was started, not at the file that
calls `load`. Started from elsewhere, as by pytest, a notebook or a job, it finds none; a `glob` finds an empty list, and says nothing.

Cure: name the sources from the file's own folder, `Path(__file__).with_name("ops.cpp")`; print the list that a `glob` gives.

Bad:

```python
from torch.utils.cpp_extension import load

ops = load("ops", ["csrc/ops.cpp"])  # seen: `csrc/ops.cpp`
```

Good:

```python
from pathlib import Path

from torch.utils.cpp_extension import load

source = Path(__file__).with_name("ops.cpp")
ops = load("ops", [str(source)]) if source.exists() else None
```

Message (torch 2.13; `glob`):

```text
AssertionError: At least one source is required to build a library
```

Message (torch 2.13; `["forward", "backward"]`):

```text
ValueError: Expected 'functions' to be a list or dict, but was <class 'tuple'>
```

Message (torch 1.5 to 2.13; `src/ops.cpp`):

```text
ninja: error: '/work/src/ops.cpp', needed by '/work/build/temp.linux-x86_64-3.8/src/ops.o', missing and no known rule to make it
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"No such file or directory: '(?P<path>[^'\n]{1,200}\.(?:cpp|cc|cxx|cu|c|sycl))'", odds=0.95
)
def not_there(failure: Failure) -> Hits:
    path = failure.groups["path"]
    if failure.passed_through("torch/utils/cpp_extension.py"):
        where = (
            "is not there"
            if path.startswith("/")
            else "is looked for where the program was started"
        )
        yield failure.hit(f"`{path}` {where}: Path(__file__).with_name(...) names it from the file")


pitfall.answers(
    {
        "At least one source is required to build": "the list of sources is empty, as a glob from another folder gives it",
        "Expected 'functions' to be a list or dict": 'load_inline takes the names of its functions as a list: ["forward", "backward"]',
    },
    odds=0.95,
)


@pitfall.explains(
    r"ninja: error: '(?P<file>[^']{1,300}\.(?:cpp|cu|cc|c|cxx))', needed by .{1,300}?missing and no known rule to make it",
    odds=0.85,
)
def source_not_there(failure: Failure) -> Hits:
    file = failure.groups["file"]
    yield failure.hit(f"the source {file} does not exist: names count from where the build starts")
