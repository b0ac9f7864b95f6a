r"""A checkpoint that is split over processes is loaded by another number of them.

Model parallelism and ZeRO save one file of each process, with its part of the weights or of the optimizer's state. The
parts belong to that number of processes: eight files of a model that was split over eight are not a model for one. A
number of 0 says that the folder holds no such file at all.

Cure: start as many processes as there are files (`torchrun --nproc-per-node 8`); or join the parts first, with
`zero_to_fp32.py` beside a checkpoint of DeepSpeed, its universal checkpoints, or the converter of the model's authors.

Bad:

```python
import os
from pathlib import Path

world_size = int(os.environ.get("WORLD_SIZE", "1"))
checkpoints = sorted(Path("llama-2-70b").glob("*.pth"))
said = f"Loading a checkpoint for MP={len(checkpoints)} but world size is {world_size}"
assert world_size == len(checkpoints), said  # seen: `no file`
```

Good:

```python
import os
from pathlib import Path

world_size = int(os.environ.get("WORLD_SIZE", "1"))
Path("parts").mkdir()
for rank in range(world_size):
    Path(f"parts/consolidated.{rank:02}.pth").touch()
checkpoints = sorted(Path("parts").glob("*.pth"))
assert world_size == len(checkpoints), f"MP={len(checkpoints)}"
```

Message (of the Llama models' own loader; `8 files`):

```text
AssertionError: Loading a checkpoint for MP=8 but world size is 1
```

Message (DeepSpeed; `8 processes`):

```text
deepspeed.runtime.zero.utils.ZeRORuntimeException: The checkpoint being loaded used a DP world size of 8 but the current world size is 4. Automatic adjustment of ZeRO's optimizer state partitioning with a new world size is not currently supported.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Loading a checkpoint for MP=(?P<files>\d+) but (?:world size|model parallel size) is (?P<world>\d+)",
    odds=0.96,
)
def other_number_of_files(failure: Failure) -> Hits:
    files, world = failure.groups["files"], failure.groups["world"]
    if files == "0":
        yield failure.hit("there is no file of weights (*.pth) in this folder: look at its path")
        return
    yield failure.hit(
        f"the model lies in {files} files, of as many processes, and {world} came: torchrun --nproc-per-node {files}, on as many cards, or its Hugging Face version, which any number loads"
    )


@pitfall.explains(
    r"checkpoint being loaded used a DP world size of (?P<saved>\d+) but the current world size is (?P<world>\d+)",
    odds=0.97,
)
def state_of_other_processes(failure: Failure) -> Hits:
    saved, world = failure.groups["saved"], failure.groups["world"]
    yield failure.hit(
        f"{saved} processes have saved the optimizer's state and {world} load it: as many as then, a universal checkpoint, "
        "or load_optimizer_states=False"
    )
