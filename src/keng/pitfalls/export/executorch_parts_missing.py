r"""An ExecuTorch program asks for operators or backends that its runtime does not hold.

A `.pte` file names the operators it calls and the backends that parts of it were handed to. They are linked into the app or the runner: a backend
that no target links, or that the linker dropped as nobody calls it, is not registered, and load_method fails with 0x20; an operator outside of the
kernels that were built in gives 0x14. What runs in Python has the kernels of the wheel alone.

Cure: link the backend, as `xnnpack_backend`, whole (`-force_load` on Apple's, `--whole-archive` elsewhere) and build with
`EXECUTORCH_BUILD_XNNPACK=ON`; `portable_ops_lib`, `optimized_native_cpu_ops_lib` or `custom_ops` for the operators; the same release for exporting
and running.

Bad:

```python
from executorch.runtime import Runtime

program = Runtime.get().load_program("model.pte")
program.load_method("forward")
```

Good:

```python
import torch

exported = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))
```

Message (ExecuTorch; `XnnpackBackend`):

```text
[method.cpp:66] Backend XnnpackBackend is not registered.
```

Message (ExecuTorch; `aten::linear.out`):

```text
E executorch:method.cpp:819] Missing operator: [29] aten::linear.out
E executorch:method.cpp:1125] There are 6 instructions don't have corresponding operator registered. See logs for details
```

Message (ExecuTorch; `executorch_prim::et_view.default`):

```text
E 00:00:05.398363 executorch:operator_registry.cpp:185] kernel 'executorch_prim::et_view.default' not found.
```

Message (ExecuTorch, in Python; `backend`):

```text
RuntimeError: loading method forward failed with error 0x20
```

Message (ExecuTorch, in Python; `operator`):

```text
RuntimeError: loading method forward failed with error 0x14
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="ExecuTorch")


@pitfall.explains(r"\bBackend (?P<name>\w{3,60}) is not registered", odds=0.95)
def backend_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"the runtime holds no {failure.groups['name']}: build with it and link it whole (--whole-archive, -force_load)"
    )


@pitfall.explains(
    r"Missing operator: \[\d+\] (?P<op>\w+::[\w.]+)",
    r"kernel '(?P<op>\w+::[\w.]+)' not found",
    r"\b(?P<op>\d{1,9}) instructions don't have corresponding operator registered",
    odds=0.95,
)
def operator_missing(failure: Failure) -> Hits:
    op = failure.groups["op"]
    what = f"operators of {op} instructions" if op.isdecimal() else f"`{op}`"
    yield failure.hit(
        f"the runtime holds no kernel for {what}: link the library that has it (portable, optimized, quantized or custom ops), of the "
        "release that exported"
    )


@pitfall.explains(
    r"(?:loading|[Ff]ailed to load) method (?P<method>\w+)[\w ,:]{0,30}?(?P<code>0x14|0x20)\b",
    odds=0.9,
)
def method_not_loaded(failure: Failure) -> Hits:
    method, code = failure.groups["method"], failure.groups["code"]
    lacks = "an operator" if code == "0x14" else "a backend"
    yield failure.hit(
        f"`{method}` does not load ({code}): the runtime lacks {lacks} of it, named above"
    )
