# fewer chunks than stages
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, Schedule1F1B

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(nn.Linear(2, 2), 0, 4, torch.device("cpu"))
schedule = Schedule1F1B(stage, n_microbatches=2)  # run: `4 stages`
