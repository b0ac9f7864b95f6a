r"""A launcher is told what the machines or the program contradict.

`accelerate launch`, `deepspeed`, `fabric run` and Slurm start one process a card and tell each its number. How many there are, on which hosts and cards, stands in
options, in a file that a questionnaire has written, in the environment and once more in the trainer of the program; what they say has to agree.

Cure: start with the options alone, `accelerate launch --num_processes 2 train.py`, and write the file anew with `accelerate config`; under Slurm `srun` with as many tasks a
node as cards; one launcher only.

Bad:

```python
import os

from accelerate.commands import launch

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
parser = launch.launch_command_parser()
args = parser.parse_args(["--multi_gpu", "--num_processes=1", "train.py"])
launch.launch_command(args)
```

Good:

```python
import tempfile
from pathlib import Path

from accelerate.commands import launch

script = Path(tempfile.mkdtemp()) / "train.py"
script.write_text("print('trained')")
args = launch.launch_command_parser().parse_args(["--num_processes=1", str(script)])
launch.launch_command(args)
```

Message (accelerate launch; `--gpu_ids`):

```text
ValueError: Less than two GPU ids were configured and tried to run on on multiple GPUs. Please ensure at least two are specified for `--gpu_ids`, or use `--gpu_ids='all'`.
```

Message (accelerate launch; `--num_processes`):

```text
ValueError: You need to use at least 2 processes to use `--multi_gpu`.
```

Message (accelerate launch; `exclude`):

```text
ValueError: You can only use one of `--cpu`, `--multi_gpu`, `--tpu`, `--use_deepspeed`, `--use_fsdp` at a time.
```

Message (accelerate launch; `accelerate config`):

```text
ValueError: You need to manually pass in `--num_processes` using this config yaml.
```

Message (accelerate launch; `another version`):

```text
ValueError: The config file at /home/u/.cache/huggingface/accelerate/default_config.yaml had unknown keys (['fp8_config']), please try upgrading your `accelerate` version or fix (and potentially remove) these keys from your config file.
```

Message (Lightning 2; `--ntasks-per-node`):

```text
RuntimeError: You set `--ntasks=4` in your SLURM bash script, but this variable is not supported. HINT: Use `--ntasks-per-node=4` instead.
```

Message (Lightning 2; `--nproc-per-node`):

```text
ValueError: You set `devices=2` and `num_nodes=2` in Lightning, but the product (2 * 2) does not match the world size (2).
```

Message (Lightning 1 and 2; `LOCAL_RANK`):

```text
RuntimeError: Lightning attempted to launch new distributed processes with `local_rank > 0`. This should not happen. Possible reasons: 1) LOCAL_RANK environment variable was incorrectly modified by the user, 2) `ClusterEnvironment.creates_processes_externally` incorrectly implemented.
```

Message (Lightning Fabric 2; `fabric.launch()`):

```text
RuntimeError: To use Fabric with more than one device, you must call `.launch()` or use the CLI: `fabric run --help`.
```

Message (deepspeed 0; `--include`):

```text
ValueError: No slot '4' specified on host 'localhost'
```

Message (deepspeed 0; `the hostfile`):

```text
ValueError: Hostname 'node2' not found in hostfile
```

Message (deepspeed 0; `slots=n`):

```text
ValueError: Num nodes is >1 but no extra nodes available via hostfile
```

Message (deepspeed 0; `ssh-copy-id`):

```text
RuntimeError: Using hostfile at /job/hostfile but host=node2 was not reachable via ssh. If you are running with a single node please remove /job/hostfile or setup passwordless ssh.
```

Message (torchrun of torch 2.13; `--master-port`):

```text
ValueError: Port is absent in endpoint: node1. Try launching with --master-port
```

Message (torchrun of torch 1.10 to 2.13; `--nproc-per-node=gpu`):

```text
ValueError: Unsupported nproc_per_node value: four
```

Message (torchrun of torch 1.9 to 2.13; `CUDA_VISIBLE_DEVICES`):

```text
ValueError: local_rank 4 exceeds available GPUs in CUDA_VISIBLE_DEVICES=0,1
```

Message (YOLOX; `fewer`):

```text
Traceback (most recent call last):
  File "train.py", line 123, in <module>
    assert num_gpu <= get_num_devices()
AssertionError
```

Message (Lightning 2; `CUDA_VISIBLE_DEVICES`):

```text
RuntimeError: The selected device indices [1] don't match the local rank values of processes. If you need to select GPUs at a specific index, set the `CUDA_VISIBLE_DEVICES` environment variable instead. For example: `CUDA_VISIBLE_DEVICES=1`.
```

Message (accelerate launch; `--main_process_ip`):

```text
AssertionError: When using multiple machines, you need to specify the main process IP.
```

Message (torch 1.10 to 2.13; `empty`):

```text
ValueError: The hostname of the rendezvous endpoint ':29500' must be a dot-separated list of labels, an IPv4 address, or an IPv6 address.
```

Message (deepspeed 0; `CUDA_VISIBLE_DEVICES`):

```text
RuntimeError: Unable to proceed, no GPU resources available
```

Message (deepspeed 0; `one of them`):

```text
ValueError: Cannot specify num_nodes/gpus with include/exclude
```

Message (accelerate launch; `acc.yaml`):

```text
FileNotFoundError: The passed configuration file `acc.yaml` does not exist. Please pass an existing file to `accelerate launch`, or use the default one created through `accelerate config` and run `accelerate launch` without the `--config_file` argument.
```

Message (accelerate; `pip install deepspeed`):

```text
ImportError: DeepSpeed is not installed => run `pip3 install deepspeed` or build it from source.
```

Message (accelerate; `pip install deepspeed`):

```text
ImportError: DeepSpeed is not available => install it using `pip3 install deepspeed` or build it from source
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import accelerate")

CURES = {
    "Less than two GPU ids were configured": "several cards are asked for and one is named: two or more in --gpu_ids, `all`, or without --multi_gpu",
    "You need to use at least 2 processes to use `--multi_gpu`": "`--multi_gpu` is for two processes and more: --num_processes, or without it",
    "`--use_fsdp` at a time": "`--cpu`, --multi_gpu, --use_deepspeed and --use_fsdp exclude each other: one of them",
    "You need to manually pass in `--num_processes`": "the file of accelerate does not say how many processes: --num_processes, or `accelerate config` again",
    "had unknown keys (": "the file was written by another version of accelerate: `accelerate config` again, or leave out those keys",
    "variable is not supported. HINT: Use `--ntasks-per-node": "Slurm places --ntasks where it likes: --ntasks-per-node, as many as devices",
    "does not match the world size (": "devices times num_nodes is not what torchrun has started: --nproc-per-node and --nnodes alike",
    "new distributed processes with `local_rank > 0`": "LOCAL_RANK is left from another launcher: unset it, or let torchrun start the program and Lightning none",
    "To use Fabric with more than one device, you must call `.launch()`": "Fabric starts its processes when it is told: fabric.launch() before setup, or `fabric run`",
    "' specified on host '": "deepspeed --include names a card that the host does not offer: numbers from 0, of those in CUDA_VISIBLE_DEVICES or the hostfile",
    "' not found in hostfile": "deepspeed --include names a host that the hostfile does not list: the name as it stands there",
    "but no extra nodes available via hostfile": "--num_nodes is above 1 and deepspeed knows of one host: --hostfile with a line `name slots=n` for each",
    "was not reachable via ssh": "deepspeed starts the other hosts over ssh, and one does not answer without a password: ssh-copy-id, or take it out of the hostfile",
    "don't match the local rank values of processes": "DeepSpeed takes cards from 0 on, and others are named: CUDA_VISIBLE_DEVICES for those, and devices as a number",
    "When using multiple machines, you need to specify the main process": "accelerate launch on several machines wants the first one's address: --main_process_ip and --main_process_port, the same everywhere",
    "The hostname of the rendezvous endpoint": "--rdzv-endpoint names no machine, most often as a variable in it is empty (echo $MASTER_ADDR): the first one's name or address, HOST:PORT",
    "Unable to proceed, no GPU resources available": "the deepspeed launcher counts the cards and finds none: torch.cuda.is_available(), and CUDA_VISIBLE_DEVICES",
    "Cannot specify num_nodes/gpus with include/exclude": "--num_gpus and --include both say which cards: one of them",
    "DeepSpeed is not installed => run": "accelerate is told to use DeepSpeed, by an option or its file, and it is not there: pip install deepspeed, or `accelerate config` without it",
    "DeepSpeed is not available => install": "accelerate is told to use DeepSpeed, by an option or its file, and it is not there: pip install deepspeed, or `accelerate config` without it",
}

pitfall.answers(CURES, odds=0.95)


pitfall.answers(
    {
        "is absent in endpoint": "--rdzv-endpoint has no port: HOST:PORT, or --master-addr and --master-port",
        "port is missing in endpoint": "--rdzv-endpoint has no port: HOST:PORT, or --master-addr and --master-port",
        "rank is absent in RendezvousParameters": "torchrun is not told which node this is: --node-rank, 0 on the first",
        "endpoint is absent in RendezvousParameters": "torchrun is not told where the nodes meet: --master-addr and --master-port, the same on all",
        "Unsupported nproc_per_node value": "--nproc-per-node is a number, or gpu, cpu or auto: --nproc-per-node=gpu",
        'is not in "MIN:MAX" format': "--nnodes is a number, or two of them, MIN:MAX",
        "exceeds available GPUs in CUDA_VISIBLE_DEVICES": "there are more processes on the node than cards in CUDA_VISIBLE_DEVICES: a smaller --nproc-per-node",
        "'--no-python' flag and the '--module' flag": "--no-python starts a program and --module a module of Python: one of them",
        "is not registered. Did you forget to call `": "--rdzv-backend names none that there is: c10d, or static",
        "The port number of the rendezvous endpoint": "the port in --rdzv-endpoint is a number from 0 to 65535, where 0 takes a free one",
    },
    odds=0.95,
)


@pitfall.explains(r"assert .{1,60}? <=? .{0,40}?\b(?:device_count|get_num_devices)\(\)", odds=0.93)
def more_than_there_are(failure: Failure) -> Hits:
    yield failure.hit(
        "more cards are asked for than the program sees: fewer in its options, or see CUDA_VISIBLE_DEVICES and nvidia-smi"
    )


@pitfall.explains(
    r"The passed configuration file `(?P<path>[^`\n]{1,300})` does not exist", odds=0.97
)
def no_such_file(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['path']}` is no file, seen from where accelerate launch is called: its path from the root, or `accelerate config`"
    )
