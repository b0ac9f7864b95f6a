r"""An operator has no form in Core ML.

`coremltools` reads a traced or exported model and writes each operator of PyTorch with those of Core ML. For some there is no conversion, or not yet in the version that is
installed.

Cure: a newer coremltools; other operations in forward, as a reshape in place of `unfold`; a conversion of one's own by `@register_torch_op` of
`coremltools.converters.mil`.

Bad:

```python
import coremltools
import torch

traced = torch.jit.trace(torch.nn.Unfold(2), torch.ones(1, 1, 4, 4))
coremltools.convert(traced, inputs=[coremltools.TensorType(shape=(1, 1, 4, 4))])
```

Good:

```python
import torch

exported = torch.export.export(torch.nn.PixelUnshuffle(2), (torch.ones(1, 1, 4, 4),))
```

Message (coremltools 4 to 8; `unfold`):

```text
RuntimeError: PyTorch convert function for op 'unfold' not implemented.
```

Message (coremltools 4 and torch 1.7; `_convolution`):

```text
ValueError: unexpected number of inputs for node 11 (_convolution): 13
```

Message (coremltools 7 to 9; `reshape_0_cast_fp16`):

```text
ValueError: Core ML only supports tensors with rank <= 5. Layer "reshape_0_cast_fp16", with type "reshape", outputs a rank 6 tensor.
```

Message (coremltools 6; `stride_width.1`):

```text
ValueError: Torch var stride_width.1 not found in context
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="coremltools")


@pitfall.explains(r"unexpected number of inputs for node \S{1,60} \((?P<op>\w{1,80})", odds=0.9)
def written_by_newer_torch(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` has another number of inputs in this PyTorch than coremltools knows: a newer coremltools, or the PyTorch it was tried with"
    )


@pitfall.explains(r"PyTorch convert function for op '(?P<op>\w{1,80})' not implemented", odds=0.97)
def not_converted(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` has no conversion to Core ML: a newer coremltools, other operations, or @register_torch_op"
    )


@pitfall.explains(
    r"Core ML only supports tensors with rank <= 5\. Layer \"(?P<layer>[^\"]{1,120})\", with type \"(?P<op>\w{1,60})\", outputs a rank (?P<rank>\d+)",
    odds=0.97,
)
def too_many_dimensions(failure: Failure) -> Hits:
    layer, op, rank = (failure.groups[name] for name in ("layer", "op", "rank"))
    yield failure.hit(
        f"{op} `{layer}` makes {rank} dimensions, and Core ML has five: two of them put together by reshape, or taken one by one"
    )


@pitfall.explains(r"Torch var (?P<name>\S{1,80}) not found in context", odds=0.85)
def made_by_what_is_left_out(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is made by an operation that coremltools leaves out, as sizes that are computed: fixed numbers there, torch.export, or a newer coremltools"
    )
