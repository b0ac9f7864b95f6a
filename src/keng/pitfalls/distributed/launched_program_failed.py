r"""The program that `accelerate launch` has started ended with an error of its own.

`accelerate launch` starts the program as another process, waits for it, and when it ends with another number than 0 raises `CalledProcessError`, with the whole command line in it. That line says nothing of the cause: the
program's own traceback stands above it, and where there is none the process was killed or called `sys.exit`.

Cure: read the first traceback above the launcher's; `python train.py` alone shows the error of a run on one card without the launcher; exit status -9 is a kill for want of memory as a rule.

Bad:

```python
import tempfile
from pathlib import Path

from accelerate.commands import launch

script = Path(tempfile.mkdtemp()) / "train.py"
script.write_text("raise SystemExit(3)")
args = launch.launch_command_parser().parse_args(["--cpu", "--num_processes=1", str(script)])
launch.launch_command(args)  # seen: `exit status 3`
```

Good:

```python
import tempfile
from pathlib import Path

from accelerate.commands import launch

script = Path(tempfile.mkdtemp()) / "train.py"
script.write_text("print('trained')")
args = launch.launch_command_parser().parse_args(["--cpu", "--num_processes=1", str(script)])
launch.launch_command(args)
```

Message (accelerate launch; `exit status 1`):

```text
  File "/env/bin/accelerate", line 8, in <module>
    sys.exit(main())
  File "/env/lib/python3.10/site-packages/accelerate/commands/launch.py", line 1023, in launch_command
    simple_launcher(args)
  File "/env/lib/python3.10/site-packages/accelerate/commands/launch.py", line 643, in simple_launcher
    raise subprocess.CalledProcessError(returncode=process.returncode, cmd=cmd)
subprocess.CalledProcessError: Command '['/env/bin/python', 'train.py', '--model', 'gpt2']' returned non-zero exit status 1.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import accelerate")


@pitfall.explains(
    r"Command '\[[^\n]{1,4000}?\]' returned non-zero exit status (?P<code>\d+)", odds=0.9
)
def launcher_tells_only_that(failure: Failure) -> Hits:
    if failure.raised_in.endswith("accelerate/commands/launch.py"):
        yield failure.hit(
            f"the program that accelerate launch started ended by itself (exit status {failure.groups['code']}): its own error stands above this one"
        )
