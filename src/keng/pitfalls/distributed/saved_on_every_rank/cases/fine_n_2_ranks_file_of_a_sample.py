# 2 ranks: the name of the file is that of a sample, and each rank has its own
import os
import tempfile

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
folder = tempfile.gettempdir()
names = [f"{os.getppid()}_{n}.wav" for n in range(4)]
loader = DataLoader(names, sampler=DistributedSampler(names, shuffle=False), collate_fn=lambda b: b[0])
for number, name in enumerate(loader):
    path = os.path.join(folder, name.replace(".wav", ".pt"))
    torch.save(torch.zeros(number), path)
    os.unlink(path)
dist.destroy_process_group()
