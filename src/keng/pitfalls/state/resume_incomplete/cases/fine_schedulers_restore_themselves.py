# schedulers that restore themselves
import io

import torch
from torch import nn
from torch.optim import lr_scheduler


class Warm(lr_scheduler.LRScheduler):
    def get_lr(self):
        return [rate * min(1, self.last_epoch / 4) for rate in self.base_lrs]

    def state_dict(self):
        return {"last_epoch": self.last_epoch, "_step_count": self._step_count}

    def load_state_dict(self, state):
        self.__dict__.update(state)


def one_after_another(optimizer):
    parts = [lr_scheduler.ConstantLR(optimizer), lr_scheduler.ExponentialLR(optimizer, 0.9)]
    return lr_scheduler.SequentialLR(optimizer, parts, milestones=[2])


torch.manual_seed(0)
for schedule in (
    lambda optimizer: lr_scheduler.LambdaLR(optimizer, lambda step: min(1, step / 4)),
    one_after_another,
    Warm,
):
    file, model = io.BytesIO(), nn.Linear(4, 1)
    for epoch in range(2):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = schedule(optimizer)
        if epoch:
            checkpoint = torch.load(file)
            optimizer.load_state_dict(checkpoint["optimizer"])
            scheduler.load_state_dict(checkpoint["scheduler"])
        for step in range(4):
            optimizer.zero_grad()
            model(torch.randn(8, 4)).square().mean().backward()
            optimizer.step()
            scheduler.step()
        parts = {"optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}
        if not epoch:
            torch.save(parts, file)
            file.seek(0)
