"""Warm up the learning rate: begin low and climb, or pretrained features are ruined at the first steps.

Three schedules, printed as a program would follow them: a line and milestones, a line and a cosine,
and stairs. Each is a closed form of the step, so that it is the same after a resume.

Needs keng.

Avoids: warmup-missing, scheduler-before-optimizer
"""

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR, LRScheduler

from keng.toolbox import warmup_cosine, warmup_multistep

EPOCHS = 300
LEARNING_RATE = 1e-3


def stairs(epoch: int) -> float:
    """A tenth more of the rate every 5 epochs up to the whole of it, and a tenth of it after 200."""
    if epoch < 50:
        return 0.1 * (epoch // 5 + 1)
    return 1.0 if epoch < 200 else 0.1


def rates(optimizer: torch.optim.Optimizer, schedule: LRScheduler) -> list[float]:
    followed = []
    for _ in range(EPOCHS):
        followed.append(optimizer.param_groups[0]["lr"])
        optimizer.step()  # here an epoch is trained
        schedule.step()  # and after it, never before
    return followed


def optimizer() -> torch.optim.Optimizer:
    return torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=LEARNING_RATE)


def main() -> None:
    first, second, third = optimizer(), optimizer(), optimizer()
    by_name = {
        "multistep": rates(first, warmup_multistep(first, warmup=10, milestones=[200])),
        "cosine": rates(second, warmup_cosine(second, warmup=10, total=EPOCHS)),
        "stairs": rates(third, LambdaLR(third, stairs)),
    }
    for name, followed in by_name.items():
        shown = [f"{epoch}: {followed[epoch]:.2e}" for epoch in (0, 5, 10, 50, 199, 200, 299)]
        print(f"{name:10}", ", ".join(shown))


if __name__ == "__main__":
    main()
