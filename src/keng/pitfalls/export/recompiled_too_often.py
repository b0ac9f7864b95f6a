r"""A compiled function is compiled again and again.

`torch.compile` compiles for what it has seen and guards it: shapes, dtypes, flags, numbers that are attributes. A
call that breaks a guard compiles anew; after eight times it gives up and runs the function uncompiled. What changes in
every call is most often a plain number (a step, a float), a list that grows, a varying length, or grad mode and train mode by
turns.

Cure: `TORCH_LOGS=recompiles` names the guard that failed; put a changing number into a tensor; `dynamic=True` or
`torch._dynamo.mark_dynamic(x, 0)` for lengths; more room, `torch._dynamo.config.recompile_limit = 64`, where few kinds
of input are meant.

Bad (a number that changes in each call):

```python
import torch

torch._dynamo.config.recompile_limit = 2


@torch.compile(backend="eager", fullgraph=True)
def scale(x, kind):
    return x * 2 if kind else x


for kind in ("a", "b", "c", "d"):
    y = scale(torch.ones(3), kind)  # seen: another text in every call
```

Good:

```python
import torch


@torch.compile(backend="eager")
def scale(x, factor):
    return x * factor


for step in range(12):
    y = scale(torch.ones(3), torch.tensor(float(step)))
```

Message (torch 2.0 to 2.5; `mark_dynamic(x, 0)`):

```text
[2024-01-05 10:11:12,345] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (64)
   function: 'forward' (/home/u/model.py:210)
   reasons:  tensor 'L['x']' size mismatch at index 0. expected 12, actual 13
```

Message (torch 2.6 to 2.13; `another value`):

```text
W0105 10:11:12.345000 1234 torch/_dynamo/convert_frame.py:964] [2/8] torch._dynamo hit config.recompile_limit (8)
W0105 10:11:12.345000 1234 torch/_dynamo/convert_frame.py:964] [2/8]    function: 'decode' (/home/u/model.py:44)
W0105 10:11:12.345000 1234 torch/_dynamo/convert_frame.py:964] [2/8]    last reason: 2/7: self.step == 7
```

Message (torch 2.6 to 2.13, of an optimizer; `parameters of several shapes`):

```text
W0110 12:27:06.332000 158 torch/_dynamo/convert_frame.py:1551] [2/8] torch._dynamo hit config.recompile_limit (8)
W0110 12:27:06.332000 158 torch/_dynamo/convert_frame.py:1551] [2/8]    function: 'post_orthogonalize' (/home/u/dion.py:621)
W0110 12:27:06.332000 158 torch/_dynamo/convert_frame.py:1551] [2/8]    last reason: 2/7: tensor 'X[0]' size mismatch at index 1. expected 640, actual 8. Guard failed on a parameter, consider using torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism on parameters.
```

Message (torch 2.5; `packed['longest']`):

```text
W1029 21:16:44.769000 20836 torch/_dynamo/convert_frame.py:844] [1/8] torch._dynamo hit config.cache_size_limit (8)
W1029 21:16:44.769000 20836 torch/_dynamo/convert_frame.py:844] [1/8]    function: 'forward' (/home/u/model.py:320)
W1029 21:16:44.769000 20836 torch/_dynamo/convert_frame.py:844] [1/8]    last reason: 1/0: L['packed']['longest'] == 31868
```

Message (torch 2.6 to 2.13, of a module that was made anew; `of several kinds`):

```text
W1110 17:56:13.321000 77473 torch/_dynamo/convert_frame.py:1550] [0/8] torch._dynamo hit config.recompile_limit (8)
W1110 17:56:13.321000 77473 torch/_dynamo/convert_frame.py:1550] [0/8]    function: 'forward' (/home/u/test.py:30)
W1110 17:56:13.321000 77473 torch/_dynamo/convert_frame.py:1550] [0/8]    last reason: 0/7: ___check_type_id(self, 224599728)
```

Message (torch 2.6 to 2.13; `another length`):

```text
W1126 23:04:51.277000 2206 torch/_dynamo/convert_frame.py:1994] [0/8] torch._dynamo hit config.recompile_limit (8)
W1126 23:04:51.277000 2206 torch/_dynamo/convert_frame.py:1994] [0/8]    function: 'total' (/home/u/model.py:22)
W1126 23:04:51.277000 2206 torch/_dynamo/convert_frame.py:1994] [0/8]    last reason: 0/7: len(parts) == 8
```

Message (torch 2.6 to 2.13; `of several kinds`):

```text
W1126 23:05:00.947000 2439 torch/_dynamo/convert_frame.py:1994] [0/8] torch._dynamo hit config.recompile_limit (8)
W1126 23:05:00.947000 2439 torch/_dynamo/convert_frame.py:1994] [0/8]    function: 'step' (/home/u/model.py:45)
W1126 23:05:00.947000 2439 torch/_dynamo/convert_frame.py:1994] [0/8]    last reason: 0/1: GLOBAL_STATE changed: grad_mode
```

Message (torch 2.6 to 2.13):

```text
torch._dynamo.exc.FailOnRecompileLimitHit: recompile_limit reached with one_graph=True. Excessive recompilations can degrade performance due to the compilation overhead of each recompilation.
```

Message (torch 2.5):

```text
torch._dynamo.exc.CacheLimitExceeded: cache_size_limit reached
```

Message (torch 2.13):

```text
torch._dynamo.exc.FailOnRecompileLimitHit: Hard failure due to fullgraph=True
```

Message (torch 2.6 to 2.13; `TORCH_LOGS=recompiles`):

```text
RuntimeError: Detected recompile when torch.compile stance is 'fail_on_recompile'. filename: 'train.py', function name: 'step', line number: 7
```
"""

from keng.explain.advice.compiled import changing
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.explains(
    r"torch\._dynamo hit config\.(?:recompile_limit|cache_size_limit|accumulated_\w+) \((?P<n>\d+)\)(?:.{0,160}?function: "
    r"'(?P<name>\w+)')?",
    odds=0.96,
)
def gave_up(failure: Failure) -> Hits:
    name, times = failure.groups.get("name") or "a function", failure.groups["n"]
    why = changing(failure.message)
    yield failure.hit(f"{name} was compiled {times} times and runs uncompiled now, {why}")


@pitfall.explains(
    r"(?:recompile_limit|cache_size_limit) reached\b",
    r"Hard failure due to (?:fullgraph=True|fail_on_recompile_limit_hit)",
    r"attempted to recompile the code object too many times",
    r"Detected recompile when torch\.compile stance is 'fail_on_recompile'",
    odds=0.97,
)
def refused(failure: Failure) -> Hits:
    yield failure.hit(f"it is compiled again in every call, {changing(failure.message)}")
