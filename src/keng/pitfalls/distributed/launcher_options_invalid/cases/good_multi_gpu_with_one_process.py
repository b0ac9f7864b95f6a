# The options of a launcher contradict the machines or the program
# needs: import accelerate
import tempfile
from pathlib import Path

from accelerate.commands import launch

script = Path(tempfile.mkdtemp()) / "train.py"
script.write_text("print('trained')")
args = launch.launch_command_parser().parse_args(["--num_processes=1", str(script)])
launch.launch_command(args)
