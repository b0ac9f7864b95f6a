r"""`torch.compile` meets what it cannot trace.

Dynamo follows Python and records tensor operations. Where it cannot, it breaks the graph and goes on
behind; with `fullgraph=True`, in `torch.export`, or inside a construct that cannot be left, that is an
error. A condition on the value of a tensor, `print`, calls into C code and mutation of outer objects are
the usual ones. Since 2.8 each kind has a number and a page.

Cure: what the hint of the message says; `torch.where` or `torch.cond` for conditions on values; move
printing and logging out; leave `fullgraph=True` away where a break is acceptable.

Bad:

```python
import torch


@torch.compile(backend="eager", fullgraph=True)
def clip(x):
    if x.sum() > 0:  # seen: `Data-dependent branching`; `gb0170`
        return x
    return -x


clip(torch.ones(3))
```

Good:

```python
import torch


@torch.compile(backend="eager", fullgraph=True)
def clip(x):
    return torch.where(x.sum() > 0, x, -x)


clip(torch.ones(3))
```

Message (torch 2.4; `builtin: print`):

```text
torch._dynamo.exc.Unsupported: builtin: print [<class 'torch._dynamo.variables.tensor.TensorVariable'>] False

from user code:
   File "train.py", line 172, in step
    print(x)

Set TORCH_LOGS="+dynamo" and TORCHDYNAMO_VERBOSE=1 for more information
```

Message (torch 2.13; `Function.apply`):

```text
torch._dynamo.exc.Unsupported: autograd.Function.apply: duplicate tensor input
  Higher Order Operator: autograd.Function
  Explanation: Dynamo does not support tracing autograd.Function.apply when the same tensor is passed to multiple forward inputs.
  Hint: It may be possible to write Dynamo tracing rules for this code. Please report an issue to PyTorch if you encounter this graph break often and it is causing performance issues.

  Developer debug context:

 For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb6297.html
```

Message (torch 2.13; `cond_fn`):

```text
torch._dynamo.exc.UncapturedHigherOrderOpError: This higher order operator doesn't work unless it is captured completely with torch.compile. Got graph break/error:

torch.while_loop: infinite loop detected
  Higher Order Operator: torch.while_loop
  Explanation: Infinite loop detected because while_loop's cond_fn always returns the same value 1.
  Hint: Your code may result in an error when running in eager. Please double check that your code doesn't contain a similar error when actually running eager/uncompiled.

  Developer debug context: ConstantVariable(int: 1)
```

Message (torch 2.4, a condition on a value):

```text
torch._dynamo.exc.UserError: Dynamic control flow is not supported at the moment. Please use functorch.experimental.control_flow.cond to explicitly capture the control flow.
```

Message (torch 2.13, torch.export; `torch.cond`):

```text
torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1)).  (Size-like symbols: none)

consider using data-dependent friendly APIs such as guard_or_false, guard_or_true and statically_known_true.
```

Message (torch 2.1 to 2.4; `u0`):

```text
torch._dynamo.exc.UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0).  (Size-like symbols: none)
```

Message (torch 2.0 to 2.6; `capture_scalar_outputs`):

```text
torch._dynamo.exc.Unsupported: data dependent operator: aten._local_scalar_dense.default; to enable, set torch._dynamo.config.capture_scalar_outputs = True
```

Message (torch 2.0 to 2.6; `capture_dynamic_output_shape_ops`):

```text
torch._dynamo.exc.Unsupported: dynamic shape operator: aten.nonzero.default; to enable, set torch._dynamo.config.capture_dynamic_output_shape_ops = True
```

Message (torch 2.1 to 2.4; `register_fake`):

```text
torch._dynamo.exc.Unsupported: unsupported operator: mylib.foo.default (see https://docs.google.com/document/d/1GgvOe7C8_NVOMLOCwDaYV1mXXyHMXY7ExoewHqooxrs/edit for how to fix)
```

Message (torch 2.1 to 2.6; `skip function graph_break`):

```text
torch._dynamo.exc.Unsupported: 'skip function graph_break in file _dynamo/decorators.py'
```

Message (torch 2.1 to 2.3; `torch._check()`):

```text
torch._dynamo.exc.UserError: Tried to use data-dependent value in the subsequent computation. This can happen when we encounter unbounded dynamic value that is unknown during tracing time.  You will need to explicitly give hint to the compiler.
```

Message (torch 2.13, without an explanation; `gb0090`):

```text
torch._dynamo.exc.Unsupported: Operator does not support running with fake tensors
  Explanation:
  Hint: see https://docs.google.com/document/d/1GgvOe7C8_NVOMLOCwDaYV1mXXyHMXY7ExoewHqooxrs/edit#heading=h.64r4npvq0w0 for how to fix

  Developer debug context: unsupported operator: e3lib3.foo.default

 For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0090.html
```

Message (torchdynamo before torch 2, and logs of 2.0 to 2.13; `call_method TupleVariable()`):

```text
torchdynamo.symbolic_convert: [WARNING] Graph break: call_method TupleVariable() _extended_shape [SizeVariable()] {} from user code at File "/env/torch/distributions/bernoulli.py", line 96, in sample
```

Message (torch 2.7, in a log; `item`):

```text
W0923 22:43:08.375000 183294 torch/_dynamo/exc.py:525] [5/0_2]     While executing %item : [num_users=2] = call_method[target=item](args = (%getitem,), kwargs = {})
```

Message (torch 2.1 to 2.13, in a log; `Tensor.item()`):

```text
torch/_dynamo/variables/tensor.py:869] [0/0] Graph break from `Tensor.item()`, consider setting:
```

Message (torch 2.1 to 2.8; `cond`):

```text
torch._dynamo.exc.UncapturedHigherOrderOpError: Cond doesn't work unless it is captured completely with torch.compile. Scroll up to find out what causes the graph break.
```
"""

from keng.explain.advice.compiled import in_pieces
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.graph_breaks import page_of

pitfall = Pitfall(__name__, __doc__, severity="error")

CURES = {
    "capture_scalar_outputs": ": .item() and its like; stay with tensors, or torch._dynamo.config.capture_scalar_outputs = True",
    "capture_dynamic_output_shape_ops": ": its size depends on the numbers; torch.where, or "
    "torch._dynamo.config.capture_dynamic_output_shape_ops = True",
    "unsupported operator: ": ": the operator has no form for fake tensors; torch.library.register_fake",
    "generic_jump": ": an `if` on the value of a tensor; torch.where, or torch.cond",
}
"""What to do about messages of the time before the numbers, by a piece of them."""


@pitfall.explains(
    r"(?:^|Unsupported: |break/error:\s{1,4})(?P<kind>(?!Unsupported: |This higher ).{3,150}?)(?:\s+Higher Order Operator: \S{1,80})?\s+Explanation: (?P<why>.{0,200}?)(?:[.:]? {0,9}(?:Hint|Developer debug context): |\.\s|$)"
    r"(?:.{0,2500}?(?P<page>https://meta-pytorch\.github\.io/compile-graph-break-site/gb/gb\d+\.html))?",
    odds=0.95,
)
def with_a_number(failure: Failure) -> Hits:
    if not failure.kind.endswith("Unsupported") and "debug context" not in failure.message:
        return  # others explain themselves as well
    kind, why = failure.groups["kind"], failure.groups["why"].strip()
    page = failure.groups.get("page") or page_of(kind)
    see = f"; see {page}" if page else ""
    told = f"dynamo cannot trace this: {kind}{f': {why}' if why else ''}{see}"
    yield failure.hit(f"{told}{in_pieces(failure)}")


@pitfall.explains(
    r"Could not (?:guard on|extract specialized integer from) data-dependent expression (?P<what>.{1,80}?)(?: \(unhinted|\s{1,9}consider|$)",
    odds=0.95,
)
def decided_by_data(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['what']}` is decided by a value that is known only when it runs: torch.where, "
        "torch.cond, or torch._check() for what always holds"
    )


@pitfall.explains(r"(?P<what>Dynamic control flow is not supported at the moment)", odds=0.95)
def condition_on_a_value(failure: Failure) -> Hits:
    yield failure.hit(
        "a condition on the value of a tensor cannot be traced: torch.where, or torch.cond"
    )


@pitfall.explains(
    r"\bUnsupported: (?P<what>(?!.{0,150}?Explanation: ).{3,100}?)(?: \[| \(see |; to enable| from user code|$)",
    odds=0.9,
)
def without_a_number(failure: Failure) -> Hits:
    if not failure.kind.endswith("Unsupported"):
        return  # the exporter to ONNX says so as well
    what = failure.groups["what"].strip("' ")
    cure = next((cure for told, cure in CURES.items() if told in failure.message), "")
    yield failure.hit(f"dynamo cannot trace this: {what}{cure}{in_pieces(failure)}")


@pitfall.explains(r"Tried to use data-dependent value in the subsequent computation", odds=0.93)
def size_without_limits(failure: Failure) -> Hits:
    yield failure.hit(
        "a number out of a tensor is used as a size or an index: torch._check() tells its limits, as torch._check(n <= x.shape[0])"
    )


@pitfall.explains(
    r"Graph break(?: from|:) `?(?P<what>[^`\n]{3,160}?)(?:`|,? from user code| in user code|$)",
    r"While executing %\w{1,60} : .{0,60}?call_method\[target=(?P<what>item|tolist|nonzero)\]",
    odds=0.85,
)
def told_in_a_log(failure: Failure) -> Hits:
    yield failure.hit(
        f"dynamo does not trace {failure.groups['what'].strip()}, and goes on in pieces: right, and slower there"
    )


@pitfall.explains(
    r"(?P<name>[Cc]ond|while_loop|(?:associative_)?scan|map) doesn't work unless it is captured completely",
    odds=0.9,
)
def branch_not_captured(failure: Failure) -> Hits:
    yield failure.hit(
        f"a function given to torch's {failure.groups['name'].lower()} holds what cannot be traced, as .item(), a change in place or a loop over data: the error above names it"
    )
