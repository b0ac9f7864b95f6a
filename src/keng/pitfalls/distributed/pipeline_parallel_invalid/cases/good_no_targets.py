# what a pipeline's stages hand on, or are asked for, is not what they can pass
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(nn.Linear(2, 2), 0, 1, torch.device("cpu"))
schedule = ScheduleGPipe(stage, n_microbatches=2, loss_fn=nn.functional.mse_loss)
losses = []
schedule.step(torch.ones(4, 2), target=torch.ones(4, 2), losses=losses)
dist.destroy_process_group()
