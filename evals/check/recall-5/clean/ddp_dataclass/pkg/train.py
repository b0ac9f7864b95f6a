import argparse
from dataclasses import asdict, dataclass, fields

import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torchvision.models import resnet18

from .parts.data import loaders
from .parts.world import World, save


@dataclass
class Config:
    root: str = "data"
    epochs: int = 30
    batch: int = 64
    lr: float = 0.1
    accumulate: int = 2
    seed: int = 0

    @classmethod
    def from_args(cls):
        parser = argparse.ArgumentParser()
        for f in fields(cls):
            parser.add_argument(f"--{f.name}", type=type(f.default), default=f.default)
        return cls(**vars(parser.parse_args()))


class State:
    def __init__(self, cfg, world):
        model = nn.SyncBatchNorm.convert_sync_batchnorm(resnet18(weights=None, num_classes=10))
        self.model = DDP(model.to(world.device), device_ids=[world.local] if world.cuda else None)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg.lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, cfg.epochs)

    def dict(self):
        return {
            "model": self.model.module.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(),
        }


def epoch_of(state, loader, criterion, cfg, world):
    state.model.train()
    total = torch.zeros((), device=world.device)
    whole = len(loader) // cfg.accumulate * cfg.accumulate
    for i, (x, y) in enumerate(loader):
        if i == whole:
            break
        x, y = x.to(world.device, non_blocking=True), y.to(world.device, non_blocking=True)
        last = (i + 1) % cfg.accumulate == 0
        state.model.require_backward_grad_sync = last
        loss = criterion(state.model(x), y) / cfg.accumulate
        loss.backward()
        total += loss.detach()
        if last:
            state.optimizer.step()
            state.optimizer.zero_grad()
    return total.item() / max(1, whole // cfg.accumulate)


@torch.inference_mode()
def accuracy_of(model, loader, world):
    model.eval()
    right = seen = 0
    for x, y in loader:
        right += (model.module(x.to(world.device)).argmax(1).cpu() == y).sum().item()
        seen += len(y)
    right, seen = world.total(right, seen)
    return right / seen


def main():
    cfg = Config.from_args()
    with World() as world:
        torch.manual_seed(cfg.seed + world.rank)
        train, val = loaders(cfg.root, world, cfg.batch)
        state = State(cfg, world)
        criterion = nn.CrossEntropyLoss()
        for epoch in range(cfg.epochs):
            train.sampler.set_epoch(epoch)
            loss = epoch_of(state, train, criterion, cfg, world)
            state.scheduler.step()
            accuracy = accuracy_of(state.model, val, world)
            if world.main:
                print(epoch, loss, accuracy)
            save(world, f"{epoch}.pt", epoch=epoch, config=asdict(cfg), **state.dict())


if __name__ == "__main__":
    main()
