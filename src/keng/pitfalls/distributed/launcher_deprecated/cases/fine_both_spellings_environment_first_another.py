# both spellings accepted; the environment read first; an argument of a different program
import argparse
import os

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--local-rank", "--local_rank", type=int, default=0)
args = parser.parse_args([])


def options():
    other = argparse.ArgumentParser()
    other.add_argument("--local_rank", type=int, default=int(os.environ.get("LOCAL_RANK", 0)))
    return other


print("instead of torch.distributed.launch use torchrun")
