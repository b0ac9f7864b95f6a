"""Posteriors of two parameters with a diffusion model, after https://github.com/bayesflow-org/bayesflow/issues/787."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DIM, SEEN, EPOCHS, STEPS = 2, 3, 24, 40
torch.manual_seed(29)
MIX = torch.randn(DIM, SEEN)


def simulate(count, seed):
    """Parameters of a standard prior, and three noisy measurements of them."""
    generator = torch.Generator().manual_seed(seed)
    parameters = torch.randn(count, DIM, generator=generator)
    return parameters, parameters @ MIX + 0.4 * torch.randn(count, SEEN, generator=generator)


def truth(seen):
    """Mean and covariance of the posterior, which is normal."""
    covariance = torch.linalg.inv(torch.eye(DIM) + MIX @ MIX.T / 0.16)
    return seen @ MIX.T @ covariance / 0.16, covariance


class Schedule:
    """Cosine schedule: the logarithm of the signal to noise ratio falls with time."""

    def log_snr(self, t):
        return (-2 * torch.tan(math.pi * t / 2).log()).clamp(-12, 12)

    def alpha_sigma(self, log_snr):
        return log_snr.sigmoid().sqrt(), (-log_snr).sigmoid().sqrt()

    def weights(self, log_snr):
        return 1 / torch.cosh(log_snr / 2) + torch.minimum((-log_snr).exp(), torch.tensor(20.0))


class Net(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(DIM + SEEN + 3, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, DIM)
        )

    def forward(self, noisy, seen, log_snr):
        angle = log_snr / 4
        return self.layers(torch.cat([noisy, seen, angle, angle.sin(), angle.cos()], 1))


class DiffusionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.schedule, self.net = Schedule(), Net()

    def compute_loss(self, parameters, seen):
        log_snr = self.schedule.log_snr(torch.rand(len(parameters), 1))
        alpha, sigma = self.schedule.alpha_sigma(log_snr)
        noise = torch.randn_like(parameters)
        guess = self.net(alpha * parameters + sigma * noise, seen, log_snr)
        weights = self.schedule.weights(log_snr)
        return (weights * ((guess - noise) ** 2).mean(-1, keepdim=True)).mean()

    @torch.no_grad()
    def sample(self, seen):
        z = torch.randn(len(seen), DIM)
        times = torch.linspace(0.995, 0.005, STEPS + 1)
        for now, then in zip(times[:-1], times[1:]):
            log_now, log_then = (self.schedule.log_snr(t.expand(len(seen), 1)) for t in (now, then))
            (alpha, sigma), (alpha_then, sigma_then) = self.schedule.alpha_sigma(log_now), self.schedule.alpha_sigma(log_then)
            noise = self.net(z, seen, log_now)
            clean = ((z - sigma * noise) / alpha).clamp(-5, 5)
            z = alpha_then * clean + sigma_then * (z - alpha * clean) / sigma
        return z


def evaluate(model, count=100, draws=100):
    """How far mean and covariance of the samples are from those of the true posteriors."""
    _, seen = simulate(count, 2)
    mean, covariance = truth(seen)
    samples = model.sample(seen.repeat_interleave(draws, 0)).view(count, draws, DIM)
    off = samples - samples.mean(1, keepdim=True)
    found = (off[..., :, None] * off[..., None, :]).sum(1) / (draws - 1)
    rmse = (samples.mean(1) - mean).square().mean().sqrt().item()
    difference = (found.mean(0) - covariance).norm().item()
    return rmse, difference, found.mean(0).trace().item(), covariance.trace().item()


loader = DataLoader(TensorDataset(*simulate(2048, 1)), batch_size=64, shuffle=True)
model = DiffusionModel()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS * len(loader))
for epoch in range(EPOCHS):
    total = 0.0
    for parameters, seen in loader:
        loss = model.compute_loss(parameters, seen)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        total += loss.item()
    if epoch % 6 == 5:
        print(f"epoch {epoch + 1} loss {total / len(loader):.4f}")
rmse, difference, spread, true = evaluate(model)
print(f"posterior mean rmse {rmse:.4f} covariance off by {difference:.4f} variance {spread:.4f} true {true:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
