import argparse
import os
import random

import torch
import torch.nn as nn
import torchvision
from torch.optim import Adam
from torch.utils.data import DataLoader
from torchvision.utils import save_image


def weights_init(m):
    if m.__class__.__name__.find("Conv") != -1:
        nn.init.normal(m.weight, 0.0, 0.02)  # check: api-deprecated


class Encoder(nn.Module):
    def __init__(self, z):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 64, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(64, 128, 4, 2, 1), nn.LeakyReLU(0.2))
        self.out = nn.Linear(128 * 8 * 8, z)

    def forward(self, x):
        return self.out(self.body(x).permute(0, 2, 3, 1).view(x.size(0), -1))  # check: view-of-noncontiguous


class Generator(nn.Module):
    def __init__(self, z):
        super().__init__()
        self.inp = nn.Linear(z, 128 * 8 * 8)
        self.body = nn.Sequential(nn.ConvTranspose2d(128, 64, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(64, 3, 4, 2, 1), nn.Tanh())

    def forward(self, z):
        return self.body(self.inp(z).view(-1, 128, 8, 8))


class Critic(nn.Module):
    def __init__(self, z):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(z, 256), nn.ReLU(), nn.Linear(256, 1))

    def forward(self, z):
        return self.net(z)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--z", type=int, default=64)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--resume", default="")
    parser.add_argument("--out", default="samples")
    return parser.parse_args()


def train(opt):
    random.seed(0)
    torch.manual_seed(0)
    device = torch.device("cuda")
    os.makedirs(opt.out, exist_ok=True)
    data = torchvision.datasets.CIFAR10("data", transform=torchvision.transforms.ToTensor(), download=True)
    loader = DataLoader(data, batch_size=64, shuffle=True, num_workers=2)
    enc, gen, critic = Encoder(opt.z).to(device), Generator(opt.z).to(device), Critic(opt.z).to(device)
    for net in (enc, gen, critic):
        net.apply(weights_init)
    opt_ae = Adam(list(enc.parameters()) + list(gen.parameters()), lr=opt.lr)
    opt_gen = Adam(gen.parameters(), lr=opt.lr)  # check: parameters-not-optimized or optimizers-overlap (the encoder is meant: gen's are stepped twice)
    opt_critic = Adam(critic.parameters(), lr=opt.lr)
    bce = nn.BCELoss()
    l1 = nn.L1Loss(size_average=False)  # check: loss-arguments-removed
    start = 0
    if opt.resume:
        state = torch.load(opt.resume)
        enc.load_state_dict(state["enc"])
        gen.load_state_dict(state["gen"])
        start = state["epoch"]  # check: resume-incomplete
    for epoch in range(start, opt.epochs):
        sum_ae = 0
        for real, _ in loader:
            real = real.to(device)
            n = real.size(0)
            z = enc(real)
            rec = gen(z)
            loss_ae = l1(rec, real) / n
            opt_ae.zero_grad()
            loss_ae.backward()
            opt_ae.step()

            prior = torch.randn(n, opt.z).to(device)
            d_real = critic(prior)
            d_fake = critic(z)  # check: backward-twice or gradient-leaks-into-frozen (z without detach)
            loss_d = bce(d_real, torch.ones_like(d_real)) + bce(d_fake, torch.zeros_like(d_fake))  # check: bce-wants-probabilities
            loss_d.backward()  # check: zero-grad-missing (opt_critic's are never cleared)
            opt_critic.step()

            fooled = critic(enc(real))
            loss_g = bce(fooled, torch.ones_like(fooled))  # check: bce-wants-probabilities
            opt_gen.zero_grad()
            loss_g.backward()
            opt_gen.step()
            sum_ae += loss_ae  # check: loss-keeps-graph
        print(epoch, sum_ae / len(loader))
        sample = gen(torch.randn(64, opt.z, device=device))  # check: validation-records-gradients
        save_image(sample, os.path.join(opt.out, f"{epoch}.png"))
        torch.save({"enc": enc.state_dict(), "gen": gen.state_dict(), "epoch": epoch}, "wae.pth")


if __name__ == "__main__":
    train(parse_args())
