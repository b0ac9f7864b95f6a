# a dict
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return {"hidden": self.fc(x)}


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(Net(), 0, 1, torch.device("cpu"))
ScheduleGPipe(stage, n_microbatches=2).step(torch.ones(4, 2))  # run: `a dict`
