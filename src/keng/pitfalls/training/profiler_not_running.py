r"""The profiler is asked for what it has not recorded.

A `torch.profiler.profile` records between its start and its stop, and with a schedule only in its active steps. Before the first of them, or where the loop is shorter than wait and
warm-up, there is nothing to export; stopped without a start, or in another thread than it was started, it fails.

Cure: `with profile(...) as prof:` around the loop and `prof.step()` in each round; at least wait + warmup + active rounds; export in `on_trace_ready`.

Bad:

```python
import torch

prof = torch.profiler.profile()
prof.stop()  # seen: `with`
```

Bad (no active step):

```python
import torch

schedule = torch.profiler.schedule(wait=1, warmup=0, active=1)
with torch.profiler.profile(schedule=schedule) as prof:
    y = torch.ones(2) + 1
print(prof.key_averages())  # seen: `step()`
```

Good:

```python
import torch

with torch.profiler.profile() as prof:
    y = torch.ones(2) + 1
print(len(prof.key_averages()))
```

Message (torch 1.8 to 2.13; `with`):

```text
RuntimeError: Can't disable Kineto profiler when it's not running in this thread
```

Message (torch 1.10 to 2.13; `with_stack`):

```text
AssertionError: export_stacks() requires with_stack=True
```

Message (torch 2.1 to 2.13; `profile_memory`):

```text
ValueError: record_shapes=True, profile_memory=True, with_stack=True required for memory profiling.
```

Message (torch 1.8 to 2.13; `active step`):

```text
AssertionError: Invalid profiler schedule arguments. Got wait=0 (need >= 0), warmup=0 (need >= 0), active=0 (need > 0), repeat=0 (need >= 0), skip_first=0 (need >= 0).
```

Message (torch 1.8 to 2.13; `twice`):

```text
RuntimeError: Profiler context manager is not reentrant
```

Message (torch 1.8 to 2.13; `activities`):

```text
AssertionError: No valid profiler activities found
```

Message (torch 2.13; `self_device_time_total`):

```text
AttributeError: 'FunctionEventAvg' object has no attribute 'self_cuda_time_total'
```

Message (torch 2.13; `once`):

```text
RuntimeError: Trace is already saved.
```

Message (torch 2.13; `on_trace_ready`):

```text
UserWarning: Warning: Profiler clears events at the end of each cycle. Only events from the current cycle will be reported. To keep events across cycles, set acc_events=True.
```

Message (torch 2.13; `export_stacks`):

```text
ValueError: metric should be one of: ['self_cpu_time_total', 'self_cuda_time_total', 'self_xpu_time_total', 'self_privateuse1_time_total']
```

Bad (read inside of its own `with`):

```python
import tempfile

import torch

with torch.autograd.profiler.profile() as profile:
    torch.ones(3).exp()
    profile.export_chrome_trace(f"{tempfile.gettempdir()}/trace.json")  # seen: `with`
```

Message (an older torch, the same; `on_trace_ready`):

```text
AssertionError: Expected profiling results
```

Message (an older torch; `one at a time`):

```text
RuntimeError: Profiler is already enabled on this thread
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
READ_EARLY = "the profile is read before it has ended: after its `with`, or in on_trace_ready"


@pitfall.explains(
    r"Can't disable Kineto profiler when it's not running|Profiler must be initialized before stopping",
    odds=0.95,
)
def stopped_unstarted(failure: Failure) -> Hits:
    yield failure.hit(
        "the profiler is stopped and was not started here: `with torch.profiler.profile() as prof:`, in one thread"
    )


@pitfall.explains(
    r"Profiler must be initialized before (?:getting key averages|exporting|accessing events)",
    odds=0.95,
)
def nothing_recorded(failure: Failure) -> Hits:
    yield failure.hit(
        "the profiler has recorded no step yet: call `prof.step()` often enough for its schedule, or leave the schedule out"
    )


pitfall.answers(
    {
        "Profiler is already enabled": "one profiler runs inside of another, as of a trainer's: one at a time",
        "Expected profiling results": READ_EARLY,
        "requires with_stack=True": "the profile has no stacks: profile(with_stack=True)",
        "required for memory profiling": "the profile has not recorded the memory: record_shapes=True, profile_memory=True, with_stack=True",
        "Invalid profiler schedule arguments": "a schedule wants at least one active step, and no number below 0",
        "Profiler context manager is not reentrant": "one profiler is entered twice: a new one for each `with`",
        "No valid profiler activities found": "activities is empty: [torch.profiler.ProfilerActivity.CPU]",
        "metric should be one of: ['self_cpu": "the stacks are weighed by a time: export_stacks(path, 'self_cpu_time_total'), or 'self_cuda_time_total'",
        "Trace is already saved": "a trace is written once: one export for each profile, or one in on_trace_ready",
        "Profiler clears events at the end of each cycle": "each cycle of the schedule drops the events of the one before: read them in on_trace_ready, or acc_events=True",
    },
    odds=0.95,
)


@pitfall.explains(
    r"'FunctionEvent(?:Avg)?' object has no attribute '(?P<name>(?:self_)?cuda_(?:time\w*|memory_usage))'",
    odds=0.95,
)
def named_by_the_card(failure: Failure) -> Hits:
    now = failure.groups["name"].replace("cuda_", "device_")
    yield failure.hit(f"what a profile counts is named for any device in newer versions: `{now}`")


@pitfall.explains(r"'NoneType' object has no attribute '(?:save|events|trace_start_ns)'", odds=0.95)
def read_before_it_ended(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/autograd/profiler.py"):
        yield failure.hit(READ_EARLY)
