r"""A process group is used that was never made.

`DistributedDataParallel`, `get_rank`, collectives and `DistributedSampler` without arguments need
`init_process_group` first, in every process. Started by plain `python` instead of torchrun, a program
lacks the environment that it reads: RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT.

Cure: start with `torchrun --nproc-per-node=N train.py`, and call `init_process_group` before the model
is wrapped; ask `dist.is_initialized()` where the program also runs alone.

Bad:

```python
import torch.distributed as dist

rank = dist.get_rank()  # seen: there is no group yet
```

Bad (started without torchrun):

```python
import torch.distributed as dist

dist.init_process_group("gloo")  # seen: `RANK is not set`
```

Good:

```python
import torch.distributed as dist

rank = dist.get_rank() if dist.is_initialized() else 0
```

Message (torch 1.8 to 2.13, of the program's own call; `is_initialized`):

```text
  File "train.py", line 88, in main
    dist.barrier()
  File "/env/lib/python3.10/site-packages/torch/distributed/distributed_c10d.py", line 2769, in barrier
    default_pg = _get_default_group()
RuntimeError: Default process group has not been initialized, please make sure to call init_process_group.
```

Message (torch 1.13; `SyncBatchNorm`):

```text
RuntimeError: Default process group has not been initialized, please make sure to call init_process_group.
```

Message (torch 2.4, an own script that reads it):

```text
KeyError: 'LOCAL_RANK'
```

Message (torch 2.13; `destroy`):

```text
AssertionError: Process group cannot be None
```

Message (torch 1.0 to 1.7):

```text
AssertionError: Default process group is not initialized
```

Message (torch 1.0; `plain python`):

```text
ValueError: Error initializing torch.distributed using env:// rendezvous: WORLD_SIZE not set
```

Message (torch 2.13; `world_size`):

```text
ValueError: Error initializing torch.distributed using tcp:// rendezvous: world size parameter missing
```

Message (Megatron-LM; `initialize_model_parallel`):

```text
AssertionError: tensor model parallel group is not initialized
```

Message (torch 1.8 to 2.13, of a Pipe or an RRef; `init_rpc`):

```text
RuntimeError: agent INTERNAL ASSERT FAILED at "/pytorch/torch/csrc/distributed/rpc/rpc_agent.cpp":247, please report a bug to PyTorch. Current RPC agent is not set!
```

Message (Lightning 2, MMEngine and others; `SLURM_NODEID`):

```text
KeyError: 'SLURM_NODEID'
```

Message (torch 2.4 to 2.13; `fallback_rank=0`):

```text
RuntimeError: LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow `get_node_local_rank` to work, assuming you are not running in a multi-device context and want the code to run locally instead.
```

Message (Horovod; `hvd.init`):

```text
ValueError: Horovod has not been initialized; use hvd.init().
```

Message (torch 0.2 to 0.4):

```text
RuntimeError: torch.distributed needs to be initialized first
```

Message (torch 1.1 to 1.12, a config with SyncBN on one card; `BatchNorm`):

```text
Traceback (most recent call last):
  File "tools/train.py", line 242, in <module>
    main()
  File "/env/lib/python3.8/site-packages/torch/nn/modules/batchnorm.py", line 686, in forward
    world_size = torch.distributed.get_world_size(process_group)
  File "/env/lib/python3.8/site-packages/torch/distributed/distributed_c10d.py", line 358, in _get_default_group
    raise RuntimeError("Default process group has not been initialized, "
RuntimeError: Default process group has not been initialized, please make sure to call init_process_group.
```

Message (torch 1.0 to 2.13, of processes that are spawned; `localhost`):

```text
ValueError: Error initializing torch.distributed using env:// rendezvous: environment variable MASTER_ADDR expected, but not set
```
"""

from keng.explain.advice.processes import not_set, without_group
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Default process group (?:has not been|is not) initialized",
    r"torch\.distributed(?:\.deprecated)? needs to be initialized first",
    odds=0.97,
)
def no_group(failure: Failure) -> Hits:
    yield failure.hit(without_group(failure))


@pitfall.explains(
    r"environment variable (?P<name>\w+) expected, but not set",
    r"env:// rendezvous: (?P<name>\w+) not set",
    r"(?:^|KeyError: )'(?P<name>LOCAL_RANK|WORLD_SIZE|RANK|MASTER_ADDR|MASTER_PORT)'",
    odds=0.97,
)
def started_alone(failure: Failure) -> Hits:
    yield failure.hit(not_set(failure.groups["name"]))


@pitfall.explains(r"Process group cannot be None|Invalid process group specified", odds=0.9)
def nothing_to_destroy(failure: Failure) -> Hits:
    yield failure.hit(
        "there is no group to destroy or to use: it was never made, was destroyed before, or this rank is not in it"
    )


@pitfall.explains(
    r"\b(?P<scheme>\w+)://\S{0,80} rendezvous: (?P<what>rank|world size) parameter missing",
    odds=0.97,
)
def address_without_a_number(failure: Failure) -> Hits:
    scheme, what = failure.groups["scheme"], failure.groups["what"].replace(" ", "_")
    yield failure.hit(
        f"an address of {scheme}:// says nothing of the {what}: init_process_group(..., rank=, world_size=), or env:// under "
        "torchrun"
    )


@pitfall.explains(
    r"(?P<what>(?:intra_layer_|tensor |pipeline )?model|data|embedding) parallel group is not initialized",
    odds=0.93,
)
def groups_of_megatron(failure: Failure) -> Hits:
    yield failure.hit(
        f"the groups of {failure.groups['what']} parallel processes are not made: initialize_model_parallel(...), after "
        "init_process_group and before the model"
    )


@pitfall.explains(r"[Cc]urrent RPC agent is not set", odds=0.97)
def no_agent(failure: Failure) -> Hits:
    yield failure.hit(
        "RPC was not started in this process: torch.distributed.rpc.init_rpc(...) first, for a Pipe in one process too"
    )


@pitfall.explains(r"(?:^|KeyError: )'(?P<name>SLURM_\w{2,30}|OMPI_COMM_WORLD_\w{2,30})'", odds=0.95)
def under_no_scheduler(failure: Failure) -> Hits:
    launcher = "srun" if failure.groups["name"].startswith("SLURM") else "mpirun"
    yield failure.hit(
        f"`{failure.groups['name']}` is not set: the program is told that {launcher} starts it, and it does not; drop that "
        "setting (SLURMEnvironment, --launcher slurm), or start it so"
    )


pitfall.answers(
    {
        "LOCAL_RANK is not in the environment": "the program was not started by torchrun: get_node_local_rank(fallback_rank=0) for one process alone",
        "is not initialized in the world group map": "the group that is given was not made in this process, or destroyed before: what new_group returns",
        "Horovod has not been initialized": "Horovod was not started in this process: hvd.init() first thing, before hvd.rank() and the optimizer",
    },
    odds=0.95,
)
