"""A diffusion model draws samples after each epoch, fifty steps with autograd on."""

import torch
from digest import show
from sklearn.datasets import make_swiss_roll
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SinusoidalEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("rates", torch.exp(-torch.arange(dim // 2) * 8.0 / dim))

    def forward(self, t):
        angle = t[:, None].float() * self.rates
        return torch.cat([angle.sin(), angle.cos()], 1)


class Denoiser(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.time = nn.Sequential(SinusoidalEmbedding(dim), nn.Linear(dim, dim), nn.SiLU())
        self.first = nn.Linear(2, dim)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, dim))
        self.last = nn.Linear(dim, 2)

    def forward(self, x, t):
        h = self.first(x) + self.time(t)
        return self.last(h + self.mid(h))


class GaussianDiffusion:
    def __init__(self, model, steps=50):
        self.model, self.steps = model, steps
        self.betas = torch.linspace(1e-4, 0.1, steps)
        self.alphas = 1 - self.betas
        self.kept = self.alphas.cumprod(0)

    def loss(self, x):
        t = torch.randint(self.steps, (len(x),))
        noise = torch.randn_like(x)
        kept = self.kept[t, None]
        return (self.model(kept.sqrt() * x + (1 - kept).sqrt() * noise, t) - noise).square().mean()

    def p_sample(self, x, t):
        eps = self.model(x, torch.full((len(x),), t))  # run: validation-records-gradients
        mean = (x - self.betas[t] / (1 - self.kept[t]).sqrt() * eps) / self.alphas[t].sqrt()
        return mean + (self.betas[t].sqrt() * torch.randn_like(x) if t else 0)

    def sample(self, count):
        x = torch.randn(count, 2)
        for t in reversed(range(self.steps)):
            x = self.p_sample(x, t)  # run: validation-records-gradients
        return x


def main(epochs=4, batch=128, lr=2e-3):
    torch.manual_seed(0)
    roll = make_swiss_roll(1500, noise=0.3, random_state=0)[0][:, [0, 2]] / 10
    loader = DataLoader(TensorDataset(torch.tensor(roll, dtype=torch.float32)), batch, shuffle=True)
    diffusion = GaussianDiffusion(Denoiser())
    optimizer = torch.optim.Adam(diffusion.model.parameters(), lr)
    for epoch in range(epochs):
        diffusion.model.train()
        for (x,) in loader:
            optimizer.zero_grad()
            loss = diffusion.loss(x)
            loss.backward()
            optimizer.step()
        diffusion.model.eval()
        drawn = diffusion.sample(256)  # run: validation-records-gradients
        spread = drawn.std(0).tolist()
        print(epoch, f"{loss.item():.3f}", "{:.2f} {:.2f}".format(*spread))
    show(diffusion.model)


if __name__ == "__main__":
    main()
