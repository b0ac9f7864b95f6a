# 2 ranks, started with the same arguments
import argparse

import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="model.pt")
args = parser.parse_args()
dist.init_process_group("gloo")
torch.save(torch.ones(3), args.out)  # check: `rank`
dist.barrier()
