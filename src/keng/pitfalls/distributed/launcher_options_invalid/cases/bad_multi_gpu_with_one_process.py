# The options of a launcher contradict the machines or the program
# needs: import accelerate
import os

from accelerate.commands import launch

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
parser = launch.launch_command_parser()
args = parser.parse_args(["--multi_gpu", "--num_processes=1", "train.py"])
launch.launch_command(args)
