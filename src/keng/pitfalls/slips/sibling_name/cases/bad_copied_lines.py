# the second discriminator's loss is computed with the first; a test of one setting and the use of another; an arm without its name
import itertools

import torch
from torch import nn


def exists(value):
    return value is not None


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.net_A, self.net_B = nn.Linear(2, 1), nn.Linear(2, 1)

    def forward(self, fake_A, fake_B):
        loss_A = self.net_A(fake_A).mean()
        loss_B = self.net_A(fake_B).mean()  # check: `net_A` is used for both; `net_B` is not used
        return loss_A + loss_B


def schedulers(optimizer, warmup_steps=None, decay_steps=None):
    made = []
    if exists(decay_steps):
        made.append(torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, warmup_steps))  # check: `decay_steps`
    if exists(warmup_steps):
        made.append(torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=warmup_steps))
    return made


def clipped(unet_layers, text_encoder_layers, train_text_encoder):
    return list(
        itertools.chain(unet_layers.parameters(), text_encoder_layers.parameters())
        if train_text_encoder
        else text_encoder_layers.parameters()  # check: `unet_layers` is not used
    )


both = Both()
both(torch.ones(3, 2), torch.ones(3, 2)).backward()
made = schedulers(torch.optim.SGD(both.parameters(), lr=0.1), 10, 100)
kept = clipped(nn.Linear(1, 1), nn.Linear(2, 2), False)

# proof
assert both.net_B.weight.grad is None and made[0].T_max == 10 and kept[0].shape == (2, 2)
