"""Semi-supervised: a student and its average; dataclass config; a schedule of weights."""
import copy
import itertools
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR


@dataclass(frozen=True)
class Config:
    steps: int = 60
    warmup: int = 10
    decay: float = 0.99
    weight: float = 5.0
    lr: float = 0.03


class Teacher:
    def __init__(self, student: nn.Module, decay: float):
        self.net = copy.deepcopy(student)
        for p in self.net.parameters():
            p.requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def follow(self, student, step):
        decay = min(self.decay, 1 - 1 / (step + 1))
        for t, s in zip(self.net.parameters(), student.parameters()):
            t.lerp_(s, 1 - decay)
        for t, s in zip(self.net.buffers(), student.buffers()):
            t.copy_(s)

    def __call__(self, x):
        return self.net(x)


def rampup(step, length):
    return math.exp(-5 * (1 - min(1.0, step / length)) ** 2)


def net():
    return nn.Sequential(nn.Linear(32, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 10))


def main(cfg=Config()):
    torch.manual_seed(0)
    student = net()
    teacher = Teacher(student, cfg.decay)
    optimizer = torch.optim.SGD(student.parameters(), cfg.lr, momentum=0.9, nesterov=True)
    schedule = LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / cfg.warmup))
    labelled = itertools.cycle([(torch.randn(16, 32), torch.randint(0, 10, (16,)))])
    average = 0.0
    for step in range(cfg.steps):
        x, y = next(labelled)
        u = torch.randn(64, 32)
        # the teacher sees noise as well: it stays in train mode on purpose
        with torch.no_grad():
            goal = teacher(u + 0.1 * torch.randn_like(u)).softmax(-1)
        logits = student(torch.cat([x, u]))
        supervised = F.cross_entropy(logits[: len(x)], y)
        consistency = F.mse_loss(logits[len(x) :].softmax(-1), goal)
        loss = supervised + cfg.weight * rampup(step, cfg.warmup) * consistency
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        teacher.follow(student, step)
        average = 0.9 * average + 0.1 * loss.item()
    print(average)
    teacher.net.eval()
    with torch.no_grad():
        print(teacher(torch.randn(4, 32)).argmax(-1))


if __name__ == "__main__":
    main()
