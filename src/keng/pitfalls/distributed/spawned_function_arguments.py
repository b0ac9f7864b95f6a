r"""A function given to spawn does not take the rank.

`torch.multiprocessing.spawn(fn, args=(...), nprocs=n)` calls `fn(rank, *args)` in each process: the number of the process comes first, and `args` is a tuple, which for one
argument wants its comma: `args=(config,)`. A string or a list in its place is taken apart into as many arguments as it has elements.

Cure: `def main(rank, config)`, started with `args=(config,)`.

Bad:

```python
import torch.multiprocessing as mp


def main(config):
    print(config)


mp.start_processes(main, args=("config.toml",), start_method="fork")  # here: main(0, "config.toml")
```

Good:

```python
import torch.multiprocessing as mp


def main(rank, config):
    print(rank, config)


mp.start_processes(main, args=("config.toml",), start_method="fork")
```

Fine:

```python
import torch.multiprocessing as mp


def main(rank, *given, verbose=False):
    print(rank, given)


def train(rank, config, seed=0):
    print(rank, config)


def start(settings, function):
    mp.spawn(main, args=("config.toml", 3), nprocs=2)
    mp.spawn(train, args=("config.toml",), nprocs=2)
    mp.spawn(train, args=settings, nprocs=2)
    mp.spawn(function, args=("config.toml",), nprocs=2)
```

Message (torch 1.0 to 2.13; `rank`):

```text
torch.multiprocessing.spawn.ProcessRaisedException:

-- Process 1 terminated with the following error:
Traceback (most recent call last):
  File "/env/lib/python3.8/site-packages/torch/multiprocessing/spawn.py", line 59, in _wrap
    fn(i, *args)
TypeError: main_worker() takes 2 positional arguments but 3 were given
```
"""

import ast

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def another_number_of_arguments(code: Code) -> Hits:
    for call in code.calls_to(
        "torch.multiprocessing.spawn", "torch.multiprocessing.start_processes"
    ):
        named, given = code.argument(call, "fn", 0), code.argument(call, "args", 1)
        function = code.definition(named) if isinstance(named, ast.Name) else None
        if function is None or not isinstance(function.node, ast.FunctionDef):
            continue
        if not isinstance(given, ast.Tuple) or function.node.args.vararg is not None:
            continue
        takes, comes = len(code.arguments(function.node)), len(given.elts) + 1
        if not takes - len(function.node.args.defaults) <= comes <= takes:
            says = f"`{function.name}` gets the rank and {comes - 1} more, and takes {takes}"
            yield code.hit(call, says)


@pitfall.explains(
    r"takes (?:from \d+ to )?(?P<takes>\d+) positional arguments? but (?P<came>\d+) w(?:as|ere) given",
    odds=0.95,
)
def rank_not_expected(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/multiprocessing/spawn.py"):
        takes, came = failure.groups["takes"], failure.groups["came"]
        yield failure.hit(
            f"spawn calls the function with the rank and then args, {came} in all, and it takes {takes}: def main(rank, ...), args=(config,)"
        )
