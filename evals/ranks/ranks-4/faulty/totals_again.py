"""Validation counts of a force field, summed over ranks."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Evaluator:
    def __init__(self):
        self.metrics = {}

    def update(self, name, value, numel):
        entry = self.metrics.setdefault(name, {"total": torch.zeros(()), "numel": torch.zeros(())})
        entry["total"] += value
        entry["numel"] += numel

    def reduce(self):
        for entry in self.metrics.values():
            dist.all_reduce(entry["total"])  # run: total-reduced-again
            dist.all_reduce(entry["numel"])  # run: total-reduced-again

    def result(self):
        return {k: (v["total"] / v["numel"]).item() for k, v in self.metrics.items()}


def validate(model, loader):
    model.eval()
    evaluator = Evaluator()
    with torch.no_grad():
        for pos, forces in loader:
            pred = model(pos)
            evaluator.update("mae", (pred - forces).abs().sum(), forces.numel())
            evaluator.update("within", ((pred - forces).abs() < 0.1).sum(), forces.numel())
            evaluator.reduce()  # run: total-reduced-again
    model.train()
    return evaluator.result(), evaluator.metrics["mae"]["numel"].item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    pos = torch.randn(640, 9)
    data = TensorDataset(pos, -pos + 0.1 * pos.pow(3))
    train, val = TensorDataset(*data[:512]), TensorDataset(*data[512:])
    sampler = DistributedSampler(train)
    train_loader = DataLoader(train, batch_size=32, sampler=sampler)
    val_loader = DataLoader(val, batch_size=8, sampler=DistributedSampler(val, shuffle=False))
    model = DDP(nn.Sequential(nn.Linear(9, 64), nn.SiLU(), nn.Linear(64, 9)))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, f in train_loader:
            optimizer.zero_grad()
            nn.functional.l1_loss(model(x), f).backward()
            optimizer.step()
        result, numel = validate(model, val_loader)
        if rank == 0:
            print(epoch, result, f"over {numel:.0f} components")
    dist.barrier()
    dist.destroy_process_group()


main()
