# after karpathy/nanochat#336: rank 0 makes the folder, every rank writes its part into it, and nobody waits
import json
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def save(folder, model, optimizer, rank):
    if rank == 0:
        report = json.dumps({name: list(p.shape) for name, p in model.named_parameters()})
        time.sleep(1.0)  # a large model is gathered and written
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "report.json"), "w") as file:
            file.write(report)
        torch.save(model.state_dict(), os.path.join(folder, "model.pt"))
    torch.save(optimizer.state_dict(), os.path.join(folder, f"optimizer_{rank}.pt"))  # run: rank-died


dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(5)
model = DDP(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)))
optimizer = torch.optim.Adam(model.parameters())
generator = torch.Generator().manual_seed(rank)
for step in range(30):
    x = torch.randn(8, 4, generator=generator)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x.sum(1, keepdim=True)).backward()
    optimizer.step()
save("base_checkpoints/d20", model.module, optimizer, rank)
dist.barrier()  # run: rank-died
dist.destroy_process_group()
