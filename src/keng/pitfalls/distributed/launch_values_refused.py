r"""`torchrun` or `init_process_group` is given a value that it does not take.

Where the processes meet is told by an address, `tcp://host:port`, `env://` with four variables, or `file://path`, with a rank and a size that are numbers; or by a store, which is then the only way. A backend has a
name, and one for each kind of device where it is several. The options of `torchrun` are counts, names and pairs with forms of their own.

Cure: `torchrun --nproc-per-node=2 --rdzv-backend=c10d --rdzv-endpoint=host:29500 train.py` and `init_process_group("nccl")` without further arguments; `int(os.environ["RANK"])` where the rank is given by hand.

Bad (an address of no such kind):

```python
import torch.distributed as dist

address = "http://localhost:29500"
dist.init_process_group("gloo", init_method=address, rank=0, world_size=1)  # seen: `tcp://`
```

Bad (a rank that is text):

```python
import torch.distributed as dist

place = {"rank": "0", "world_size": "1"}
address = "tcp://localhost:29500"
dist.init_process_group("gloo", init_method=address, **place)  # seen: `int(`
```

Bad (a name of no backend):

```python
import torch.distributed as dist

place = {"store": dist.HashStore(), "rank": 0, "world_size": 1}
dist.init_process_group("cpu:gloo,nccl", **place)  # seen: `cpu:gloo,cuda:nccl`
```

Good:

```python
import torch.distributed as dist

dist.init_process_group("cpu:gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.destroy_process_group()
```

Message (torch 2.13; `0 to 65535`):

```text
ValueError: Port out of range 0-65535
```

Message (torch 2.13; `not in both`):

```text
AssertionError: The url: tcp://localhost:29500?rank=0 has node-specific arguments(rank, world_size) already.
```

Message (torch 2.13; `one of them`):

```text
AssertionError: Cannot specify both init_method and store.
```

Message (torch 2.13; `world_size=`):

```text
AssertionError: world_size must be positive if using store
```

Message (torch 2.13; `nvcc`):

```text
AssertionError: Unknown backend type nvcc
```

Message (torch 2.13; `nvcc`):

```text
ValueError: Unknown backend 'nvcc'. Specify a 'device:backend' string or use one of: dict_values(['gloo', 'nccl'])
```

Message (torch 2.13; `rank 3 of 2`):

```text
RuntimeError: [enforce fail at /__w/pytorch/pytorch/third_party/gloo/gloo/context.cc:23] rank < size. 3 vs 2
```

Message (torch 2.13; `2 cards`):

```text
ValueError: device_id cuda:3 is out of range. Please use a device index less than the number of accelerators available: 2.
```

Message (torchrun of torch 2.13; `--rdzv-conf`):

```text
ValueError: The rendezvous configuration option 'timeout' must have a value specified.
```

Message (torchrun of torch 2.13; `read_timeout`):

```text
ValueError: The rendezvous configuration option 'read_timeout' does not represent a valid integer value.
```

Message (torchrun of torch 2.13; `--nnodes`):

```text
AssertionError: min_nodes must be > 0 and <= max_nodes, got min_nodes=4, max_nodes=2
```

Message (torchrun of torch 2.13; `--nproc-per-node`):

```text
Traceback (most recent call last):
  File "/usr/lib/python3.11/site-packages/torch/distributed/run.py", line 745, in determine_local_world_size
    return int(nproc_per_node)
           ^^^^^^^^^^^^^^^^^^^
ValueError: invalid literal for int() with base 10: 'gpu'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/usr/bin/torchrun", line 8, in <module>
    sys.exit(main())
             ^^^^^^
  File "/usr/lib/python3.11/site-packages/torch/distributed/run.py", line 755, in determine_local_world_size
    raise ValueError("Cuda is not available.") from e
ValueError: Cuda is not available.
```

Message (torchrun of torch 2.13; `0:3,1:1`):

```text
ValueError: 9 does not match: <^[0123]$> or <^(\d:[0123],)*(\d:[0123])$>
```

Message (torchrun of torch 2.13; `--log-dir`):

```text
NotADirectoryError: log_dir: /job/out.txt is a file
```

Message (torch.distributed.launch of torch 1.9 to 2.13; `train.py`):

```text
usage: launch.py [-h] [--nnodes NNODES] [--nproc_per_node NPROC_PER_NODE]
                 training_script ...
launch.py: error: argument --master_port: invalid int value: 'train.py'
```

Message (torchrun of torch 2.13; `has no value`):

```text
torchrun: error: argument --nproc-per-node/--nproc_per_node: expected one argument
```

Message (accelerate launch; `two`):

```text
accelerate <command> [<args>] launch: error: argument --num_processes: invalid int value: 'two'
```

Message (torchrun of torch 2.13; `--local-ranks-filter`):

```text
ValueError: --local_ranks_filter must be a comma-separated list of integers e.g. --local_ranks_filter=0,1,2
```

Message (torch 2.13; `import torch_npu`):

```text
AssertionError: Unknown backend type hccl
```
"""

from keng.explain.advice.processes import unknown_backend
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables import launcher_options

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"No rendezvous handler for (?P<kind>\w*)://", odds=0.97)
def address_of_no_kind(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['kind']}://` is no way to meet: tcp://host:port, env://, or file:///a/path that all processes see"
    )


@pitfall.explains(r"`(?P<name>rank|world_size)` must be an integer\.", odds=0.97)
def number_as_text(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is text, as from the environment: int(os.environ['{name.upper()}'])"
    )


@pitfall.explains(r"Unknown (?:c10d )?backend (?:type )?'?(?P<name>[\w:]{1,30})", odds=0.96)
def no_such_backend(failure: Failure) -> Hits:
    yield failure.hit(unknown_backend(failure.groups["name"]))


@pitfall.explains(
    r"gloo/context\.cc:\d+\] rank < size\. (?P<rank>\d+) vs (?P<size>\d+)",
    odds=0.97,
)
def rank_beyond_size(failure: Failure) -> Hits:
    rank, size = failure.groups["rank"], failure.groups["size"]
    yield failure.hit(f"there is no rank {rank} of {size}: they are numbered from 0")


@pitfall.explains(
    r"device_id (?P<device>[\w:]{1,12}) is out of range\. .{1,80}accelerators available: (?P<n>\d+)",
    odds=0.97,
)
def no_such_card(failure: Failure) -> Hits:
    device, n = failure.groups["device"], failure.groups["n"]
    yield failure.hit(
        f"`{device}` is asked for on a machine with {n} cards: the LOCAL_RANK of a process, and no more processes than cards"
    )


@pitfall.explains(
    r"rendezvous configuration option '(?P<name>\w+)' (?:must have a value|does not represent a valid (?:boolean|integer))",
    odds=0.96,
)
def option_without_value(failure: Failure) -> Hits:
    says = "has no value of its kind: name=value, seconds as whole numbers, true or false"
    yield failure.hit(f"`{failure.groups['name']}` in --rdzv-conf {says}")


@pitfall.explains(r"(?:^|Error: )(?P<name>Cuda|Xpu) is not available\.", odds=0.95)
def no_cards_to_count(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/distributed/run.py"):
        yield failure.hit(
            f"--nproc-per-node counts the cards, and torch sees none: torch.{failure.groups['name'].lower()}.is_available(), or a number"
        )


@pitfall.explains(r"log_dir: (?P<path>\S{1,300}) is a file", odds=0.96)
def folder_is_a_file(failure: Failure) -> Hits:
    yield failure.hit(
        f"--log-dir names the file `{failure.groups['path']}`: a folder, or a name that is not there yet"
    )


@pitfall.explains(launcher_options.NO_NUMBER, odds=0.97)
def value_left_out(failure: Failure) -> Hits:
    yield failure.hit(
        launcher_options.left_out(failure.groups["name"], failure.groups["came"] or "")
    )


pitfall.answers(launcher_options.REFUSED, odds=0.95)
