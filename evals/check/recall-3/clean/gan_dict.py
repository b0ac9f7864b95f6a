"""Adversarial training with nets and optimizers in dicts, detached where it must be."""
import argparse
from collections import defaultdict
from functools import partial
from itertools import chain

import torch
import torch.nn.functional as F
from torch import nn


def toggle(net, on):
    for p in net.parameters():
        p.requires_grad_(on)


class Pool:
    """Old fakes, kept without their graphs."""

    def __init__(self, size=50):
        self.size, self.images = size, []

    def query(self, images):
        images = images.detach()
        self.images.extend(images.split(1))
        del self.images[: -self.size]
        pick = torch.randint(len(self.images), (len(images),))
        return torch.cat([self.images[i] for i in pick.tolist()])


def build(width=16):
    conv = partial(nn.Conv2d, kernel_size=3, padding=1)
    gen = lambda: nn.Sequential(conv(3, width), nn.InstanceNorm2d(width), nn.ReLU(), conv(width, 3), nn.Tanh())
    dis = lambda: nn.Sequential(conv(3, width, stride=2), nn.LeakyReLU(0.2), conv(width, 1))
    return nn.ModuleDict({"ab": gen(), "ba": gen(), "da": dis(), "db": dis()})


def hinge(pred, real):
    return F.relu(1 - pred if real else 1 + pred).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=20)
    args = parser.parse_args()
    nets = build()
    opts = {
        "G": torch.optim.Adam(chain(nets["ab"].parameters(), nets["ba"].parameters()), 2e-4, betas=(0.5, 0.999)),
        "D": torch.optim.Adam(chain(nets["da"].parameters(), nets["db"].parameters()), 2e-4, betas=(0.5, 0.999)),
    }
    pools = defaultdict(Pool)
    logs = defaultdict(list)
    for step in range(args.steps):
        a, b = torch.rand(4, 3, 16, 16), torch.rand(4, 3, 16, 16)
        toggle(nets["da"], False)
        toggle(nets["db"], False)
        fake_b, fake_a = nets["ab"](a), nets["ba"](b)
        g = -nets["db"](fake_b).mean() - nets["da"](fake_a).mean()
        g = g + 10 * (F.l1_loss(nets["ba"](fake_b), a) + F.l1_loss(nets["ab"](fake_a), b))
        opts["G"].zero_grad()
        g.backward()
        opts["G"].step()

        toggle(nets["da"], True)
        toggle(nets["db"], True)
        opts["D"].zero_grad()
        for key, real, fake in (("da", a, fake_a), ("db", b, fake_b)):
            loss = hinge(nets[key](real), True) + hinge(nets[key](pools[key].query(fake)), False)
            loss.backward()
            logs[key].append(loss.item())
        opts["D"].step()
        logs["g"].append(g.detach())
    print({k: float(sum(v) / len(v)) for k, v in logs.items()})


if __name__ == "__main__":
    main()
