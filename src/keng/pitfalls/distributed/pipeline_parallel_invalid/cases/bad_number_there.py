# a number that is not there
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(nn.Linear(2, 2), 2, 2, torch.device("cpu"))  # run: `from 0`
