"""Unpaired translation; networks and optimizers live in dicts."""
import argparse
import itertools
import os

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from datasets import UnpairedFolder
from networks import PatchDiscriminator, ResnetGenerator

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", default="0")
parser.add_argument("--lr", type=float, default=2e-4)
parser.add_argument("--epochs", type=int, default=200)
parser.add_argument("--decay", type=int, default=100)
parser.add_argument("--lambda-cycle", type=float, default=10.0)
opt = parser.parse_args()

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
os.environ["CUDA_VISIBLE_DEVICES"] = opt.gpu  # check: cuda-visible-devices-set-late

nets = {
    "G_ab": ResnetGenerator(3, 3, 9),
    "G_ba": ResnetGenerator(3, 3, 9),
    "D_a": PatchDiscriminator(3),
    "D_b": PatchDiscriminator(3),
}
for name, net in nets.items():
    net.to(device)
    net.train()

optims = {
    "G": torch.optim.Adam(
        itertools.chain(nets["G_ab"].parameters(), nets["G_ba"].parameters()), lr=opt.lr, betas=(0.5, 0.999)
    ),
    "D": torch.optim.Adam(
        itertools.chain(nets["D_a"].parameters(), nets["D_b"].parameters()), lr=opt.lr, betas=(0.5, 0.999)
    ),
}
decay = lambda epoch: 1.0 - max(0, epoch - opt.decay) / opt.decay
schedules = {k: torch.optim.lr_scheduler.LambdaLR(o, decay) for k, o in optims.items()}
mse, l1 = nn.MSELoss(), nn.L1Loss()


def gan_loss(pred, real):
    target = torch.ones_like(pred) if real else torch.zeros_like(pred)
    return mse(pred, target)


loader = DataLoader(UnpairedFolder("horse2zebra"), batch_size=1, shuffle=True, num_workers=4)
totals = {"G": 0.0, "D": 0.0}

for epoch in range(opt.epochs):
    for s in schedules.values():
        s.step()  # check: scheduler-before-optimizer
    for a, b in loader:
        a, b = a.to(device), b.to(device)
        fake_b, fake_a = nets["G_ab"](a), nets["G_ba"](b)
        rec_a, rec_b = nets["G_ba"](fake_b), nets["G_ab"](fake_a)

        optims["G"].zero_grad()
        loss_g = gan_loss(nets["D_b"](fake_b), True) + gan_loss(nets["D_a"](fake_a), True)
        loss_g = loss_g + opt.lambda_cycle * (l1(rec_a, a) + l1(rec_b, b))
        loss_g.backward()
        optims["G"].step()

        optims["D"].zero_grad()
        loss_d = 0.5 * (gan_loss(nets["D_a"](a), True) + gan_loss(nets["D_a"](fake_a), False))  # check: backward-twice or gradient-leaks-into-frozen
        loss_d = loss_d + 0.5 * (gan_loss(nets["D_b"](b), True) + gan_loss(nets["D_b"](fake_b.detach()), False))
        loss_d.backward()
        optims["D"].step()

        totals["G"] += loss_g  # check: loss-keeps-graph
        totals["D"] += loss_d.item()
    print(epoch, {k: v / len(loader) for k, v in totals.items()})
