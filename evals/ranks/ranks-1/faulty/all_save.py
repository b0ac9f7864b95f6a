import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class CheckpointCallback:
    def __init__(self, path):
        self.path = path
        self.best = float("inf")

    def on_epoch_end(self, trainer, loss):
        if loss < self.best:
            self.best = loss
            torch.save({"state_dict": trainer.model.state_dict(), "loss": loss}, self.path)  # run: saved-on-every-rank


class Trainer:
    def __init__(self, model, data, callbacks):
        self.model, self.callbacks = DDP(model), callbacks
        self.sampler = DistributedSampler(data)
        self.loader = DataLoader(data, 16, sampler=self.sampler)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            for x, y in self.loader:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            mean = loss.detach().clone()
            dist.all_reduce(mean, op=dist.ReduceOp.SUM)
            for callback in self.callbacks:
                callback.on_epoch_end(self, mean.item() / dist.get_world_size())


if __name__ == "__main__":
    dist.init_process_group("gloo")
    torch.manual_seed(5)
    x = torch.randn(128, 3)
    os.makedirs("out", exist_ok=True)
    Trainer(
        nn.Linear(3, 1), TensorDataset(x, x.sum(1, True)), [CheckpointCallback("out/best.pt")]
    ).fit(5)
    dist.destroy_process_group()
