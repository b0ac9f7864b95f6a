r"""A check inside of PyTorch has failed.

PyTorch's C++ code holds checks of what its writers take to be always so. When one fails, the fault is PyTorch's or an extension's, or memory that
something else has broken; the condition is in the message, and it is the only hint. What the program did just before is unusual in
most cases: an operation on a device or layout that few use, threads, tensors that were freed or changed while a kernel read them, a library of
another version.

Cure: search the condition among PyTorch's issues; try another version; make the step smaller until it goes away (on the CPU, without
`torch.compile`, `DataParallel` or `pin_memory`, one operation less), and report what is left.

Bad (a value that is used before it is made):

```python
import torch

graph = torch.Graph()
graph.registerOutput(graph.create("aten::zeros").output())
graph.lint()  # seen: `not in scope`
```

Good:

```python
import torch

graph = torch.Graph()
node = graph.insertNode(graph.create("aten::zeros"))
graph.registerOutput(node.output())
graph.lint()
```

Message (torch 1.12, Windows; `range.second - range.first == t.size()`):

```text
RuntimeError: range.second - range.first == t.size() INTERNAL ASSERT FAILED at "..\\torch\\csrc\\autograd\\generated\\Functions.cpp":57, please report a bug to PyTorch. inconsistent range for TensorList output
```

Message (torch 1.12 to 2.13; `Mac's GPU`):

```text
RuntimeError: src_total_size >= storage_byte_offset INTERNAL ASSERT FAILED at "/Users/runner/work/aten/src/ATen/native/mps/operations/Copy.mm":129, please report a bug to PyTorch.
```

Message (torch 1.4 to 2.13; `to one device`):

```text
RuntimeError: t == DeviceType::CUDA INTERNAL ASSERT FAILED at "../c10/cuda/impl/CUDAGuardImpl.h":25, please report a bug to PyTorch.
```

Message (torch 1.11 to 2.0; `nvfuser`):

```text
RuntimeError: rhs_i >= 0 && lhs_i >= 0 INTERNAL ASSERT FAILED at "/opt/conda/conda-bld/pytorch_1656352630480/work/torch/csrc/jit/codegen/cuda/scheduler/pointwise.cpp":721, please report a bug to PyTorch.
```

Message (torch 2.1 to 2.13; `expandable_segments`):

```text
RuntimeError: !handles_.at(i) INTERNAL ASSERT FAILED at "../c10/cuda/CUDACachingAllocator.cpp":430, please report a bug to PyTorch.
```

Message (torch 0.2 to 0.4; `input_buffer.cpp`):

```text
RuntimeError: torch/csrc/autograd/input_buffer.cpp:14: add: Assertion `pos >= 0 && pos < buffer.size()` failed.
```

Message (torch 1.0 to 2.13; `vector`):

```text
RuntimeError: vector::_M_range_check: __n (which is 18446744073709551615) >= this->size() (which is 3)
```

Message (torch 1.5 to 2.13, wherever a check has no words of its own; `weight.dim() == 2`):

```text
RuntimeError: Expected weight.dim() == 2 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)
```
"""

from keng.explain.advice.programs import behind_a_check
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?:^|Error: )(?P<check>.{1,200}?) ?INTERNAL ASSERT FAILED at (?:\S{1,300}[\\/])?(?P<file>\w{1,80}\.\w{1,4})"
    r".{0,40}?please report a bug(?: to PyTorch\.)? ?(?P<says>[^\n]{0,160})",
    odds=0.5,
)
def a_check_of_its_own(failure: Failure) -> Hits:
    check, file, says = (failure.groups[key] for key in ("check", "file", "says"))
    told = f" ({says.rstrip('. ')})" if says else ""
    yield failure.hit(
        f"the check `{check}` inside PyTorch ({file}) failed{told}: {behind_a_check(failure.message)}"
    )


@pitfall.explains(
    r"\b(?:torch/csrc|aten/src|ATen|c10)/\S{0,100}?(?P<file>\w{1,60}\.\w{1,3}):\d+: (?:\w{1,60}: )?Assertion `(?P<check>[^`]{1,160})` failed",
    odds=0.5,
)
def a_check_of_old(failure: Failure) -> Hits:
    check, file = failure.groups["check"], failure.groups["file"]
    yield failure.hit(
        f"the check `{check}` inside PyTorch ({file}) failed: its fault or an extension's; try another version, and the CPU"
    )


@pitfall.explains(
    r"vector::_M_range_check: __n \(which is (?P<index>\d+)\) >= this->size\(\) \(which is (?P<size>\d+)\)",
    odds=0.5,
)
def past_a_vector(failure: Failure) -> Hits:
    yield failure.hit(
        f"C++ inside PyTorch asks a vector of {failure.groups['size']} for an entry that it has not, unchecked: mostly a dimension or an index that "
        "the operation cannot have; see its arguments, then another version"
    )


@pitfall.explains(r"Expected (?P<condition>[^\n]{3,160}?) to be true, but got false", odds=0.5)
def a_check_of_what_it_gets(failure: Failure) -> Hits:
    yield failure.hit(
        f"a condition of the operation does not hold, `{failure.groups['condition']}`: see the shapes and dtypes of what it gets"
    )
