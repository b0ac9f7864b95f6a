# argument: args
from torch.distributed.run import config_from_args, get_args_parser

args = get_args_parser().parse_args(["--standalone", "--max-restarts", "-1", "train.py"])
config, command, command_args = config_from_args(args)
