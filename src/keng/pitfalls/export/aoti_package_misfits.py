r"""A package of AOTInductor is loaded or called otherwise than it was compiled.

`torch._inductor.aoti_compile_and_package` writes C++ for the sizes, dtypes and strides of the exported program. The package checks the number of its inputs, and no
more: a batch of another size, where the size was not declared to vary, gives wrong numbers after a warning of a resize. With
`AOTI_RUNTIME_CHECK_INPUTS=1` as it is compiled, it compares each input. A file of `torch.export.save` ends in `.pt2` as well, and holds no code to run.

Cure: `dynamic_shapes` in torch.export.export for what varies; inputs as in the example; `AOTI_RUNTIME_CHECK_INPUTS=1` while it is compiled;
`torch.export.load` for what `torch.export.save` wrote.

Bad:

```python
import torch

package = torch._inductor.aoti_load_package("model.pt2")
package(torch.ones(3, 4))  # compiled for two rows
```

Good:

```python
import torch
from torch.export import Dim, export

rows = {"input": {0: Dim("rows")}}
exported = export(torch.nn.Linear(4, 3), (torch.ones(2, 4),), dynamic_shapes=rows)
```

Message (torch 2.13, checked; `3`, `2`):

```text
RuntimeError: input_handles[0]: unmatched dim value at 0, expected: 2, but got: 3
```

Message (torch 2.13, checked; `dtype`):

```text
RuntimeError: input_handles[0]: unmatched dtype, expected: 6(at::kFloat), but got: 7
```

Message (torch 2.13, checked; `stride`):

```text
RuntimeError: input_handles[0]: unmatched stride value at 0, expected: 4, but got: 1
```

Message (torch 2.13; `2`):

```text
RuntimeError: expected inputs vector size to be 1, but got 2
```

Message (torch 2.13, a file of torch.export.save; `torch.export.load`):

```text
RuntimeError: Failed to find a generated cpp file or so file for model 'model' in the zip archive.
```

Message (torch 2.13, no file or a damaged one; `file open failed`):

```text
RuntimeError: Failed to initialize zip archive: file open failed
```

Message (torch 2.6 to 2.13; `ExportedProgram`):

```text
ValueError: Only ExportedProgram is supported
```

Message (torch 2.6 to 2.13; `model.so`):

```text
AssertionError: Expect package path to be a file ending in .pt2, is None, or is a buffer. Instead got model.so
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a C++ compiler")


@pitfall.explains(
    r"input_handles\[(?P<nth>\d+)\]: unmatched (?P<what>dim|stride) value at (?P<at>\d+), expected: (?P<wants>-?\d+), but got: (?P<got>-?\d+)",
    r"input_handles\[(?P<nth>\d+)\]: unmatched (?P<what>dtype), expected: \d+\((?:at::k)?(?P<wants>\w+)\)",
    odds=0.97,
)
def input_differs(failure: Failure) -> Hits:
    nth, what, wants = (failure.groups[name] for name in ("nth", "what", "wants"))
    at, got = failure.groups.get("at", ""), failure.groups.get("got", "")
    came = f", and got {got}" if got else ""
    yield failure.hit(
        f"input {nth} of the package was compiled for {what} {at + ' of ' if at else ''}{wants}{came}: dynamic_shapes for what varies, inputs as in the example"
    )


@pitfall.explains(
    r"expected inputs vector size to be (?P<wants>\d+), but got (?P<got>\d+)", odds=0.97
)
def number_differs(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(
        f"the package takes {wants} tensors, and gets {got}: numbers of the example are constants"
    )


@pitfall.explains(
    r"Failed to find a generated cpp file or so file for model '(?P<name>[^']{1,80})'", odds=0.95
)
def no_code_in_it(failure: Failure) -> Hits:
    yield failure.hit(
        "the file holds no compiled code: what torch.export.save wrote is read by torch.export.load, or compiled first"
    )


@pitfall.explains(r"Failed to initialize zip archive: (?P<why>[\w ]{3,60})", odds=0.93)
def no_archive(failure: Failure) -> Hits:
    yield failure.hit(
        f"the package cannot be read ({failure.groups['why'].strip()}): its path, or a whole copy"
    )


@pitfall.explains(r"Only ExportedProgram is supported", odds=0.95)
def not_exported(failure: Failure) -> Hits:
    yield failure.hit("a package is compiled from an ExportedProgram: torch.export.export first")


@pitfall.explains(
    r"Expect package path to be a file ending in \.pt2.{0,60}?Instead got (?P<path>\S{1,200})",
    odds=0.96,
)
def named_otherwise(failure: Failure) -> Hits:
    yield failure.hit(f"{failure.groups['path']} does not end in .pt2, as a package does")
