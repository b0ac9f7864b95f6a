"""Rank 0 also computes the statistics for the dashboard."""

import json

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Dashboard:
    def __init__(self, path):
        self.file = open(path, "w")

    def log(self, step, model):
        row = {"step": step}
        for name, p in model.named_parameters():
            values = p.detach().double().flatten()
            row[name] = {
                "hist": torch.histc(values, 200).tolist(),
                "quantiles": torch.quantile(values, torch.linspace(0, 1, 101).double()).tolist(),
            }
            if p.dim() == 2:
                row[name]["rank"] = int(torch.linalg.matrix_rank(p.detach()))
                row[name]["spectrum"] = torch.linalg.svdvals(p.detach()).tolist()
        self.file.write(json.dumps(row) + "\n")


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(64, 192), nn.GELU(), nn.Linear(192, 192), nn.GELU(), nn.Linear(192, 64)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    dashboard = Dashboard("dashboard.jsonl") if rank == 0 else None
    torch.manual_seed(rank)
    for step in range(250):
        x = torch.randn(16, 64)
        loss = nn.functional.mse_loss(model(x), x.roll(1, 1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0:
            dashboard.log(step, model.module)  # run: rank-slower-than-others
            if step % 50 == 0:
                print(step, loss.item(), flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
