r"""The output of a CUDA graph is kept over the next call.

With `mode="reduce-overhead"` a compiled function is recorded as a CUDA graph, whose outputs lie at the same place in every
call: what the last call gave is overwritten by the next. A cache of keys and values, or a list of outputs, keeps them.

Cure: `.clone()` what is kept; `torch.compiler.cudagraph_mark_step_begin()` before each step; or
`mode="max-autotune-no-cudagraphs"`.

Bad:

```python
import torch

step = torch.compile(lambda x: x * 2, mode="reduce-overhead")
outputs = [step(torch.ones(3, device="cuda")) for _ in range(3)]
print(outputs[0].sum())
```

Good:

```python
import torch

step = torch.compile(lambda x: x * 2, backend="eager")
outputs = [step(torch.ones(3)).clone() for _ in range(3)]
```

Message (torch 2.1 to 2.13; `clone`):

```text
RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File "/home/u/model.py", line 12, in forward
```

Message (torch 1.10 to 2.13, while a graph is recorded; `recorded`):

```text
RuntimeError: CUDA error: operation not permitted when stream is capturing
```

Message (torch 1.10 to 2.13; `draw before`):

```text
RuntimeError: Offset increment outside graph capture encountered unexpectedly.
```

Message (torch 1.10 to 2.13; `default stream`):

```text
RuntimeError: CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay them on the default stream.)
```

Message (torch 1.10 to 2.13; `another stream`):

```text
RuntimeError: CUDA error: operation would make the legacy stream depend on a capturing blocking stream
```

Message (torch 2.13, of make_graphed_callables; `tensors alone`):

```text
AssertionError: In the beta API, sample_args for each callable must contain only Tensors. Other types are not allowed.
```

Message (torch 2.13, of make_graphed_callables; `cache_enabled=False`):

```text
RuntimeError: make_graphed_callables does not support the autocast caching. Please set `cache_enabled=False`.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(r"accessing tensor output of CUDAGraphs that has been overwritten", odds=0.97)
def overwritten(failure: Failure) -> Hits:
    yield failure.hit(
        "an output of the last call is used after the next one has overwritten it: clone what is kept, or "
        "torch.compiler.cudagraph_mark_step_begin()"
    )


@pitfall.explains(
    r"operation (?:not permitted when stream is capturing|failed due to a previous error during capture)",
    odds=0.9,
)
def while_recording(failure: Failure) -> Hits:
    yield failure.hit(
        "while a CUDA graph is recorded something waits (.item(), print), copies from the CPU or runs for the first time: keep it out, and "
        "warm up before; where another thread does, capture_error_mode='thread_local'"
    )


pitfall.answers(
    {
        "Offset increment outside graph capture": "a random generator is still tied to a CUDA graph whose recording broke off "
        "or was left: draw before or within the recording, and start the process again after a failure",
        "graphs must be captured on a non-default stream": "a CUDA graph is recorded on the default stream: `with "
        "torch.cuda.graph(g):`, or `with torch.cuda.stream(torch.cuda.Stream()):` around capture_begin()",
        "would make the legacy stream depend on a capturing": "while a CUDA graph is recorded something runs on the default stream: all of it under torch.cuda.graph(g), on one other stream; warm up on another stream first",
        "sample_args for each callable must contain only Tensors": "make_graphed_callables records with tensors alone: numbers, flags and dicts stand in the module, or in a function around it",
        "Modules must not have hooks registered at the time they are passed": "hooks come after make_graphed_callables, as a recorded graph does not run them: register them on what it gave back",
        "only parameters may be trainable. All buffers must have": "a buffer of the module asks for a gradient: nn.Parameter for what is learned, buffer.requires_grad_(False) for the rest",
        "does not support the autocast caching": "the copies of weights that autocast keeps would be recorded once: torch.autocast('cuda', cache_enabled=False) around it",
    },
    odds=0.9,
)
