# variances under other names; squares; roots; logarithms of either; a value that a function returns under another name
import torch
from torch import nn
from torch.distributions import Normal
from torch.nn import functional as F

criterion = nn.GaussianNLLLoss()
mu, y, logvar, log_std = torch.zeros(3), torch.ones(3), torch.zeros(3), torch.zeros(3)
sigma = logvar.exp()
criterion(mu, y, sigma)
sigma_sq = F.softplus(logvar)
criterion(mu, y, sigma_sq)
std = F.softplus(logvar) + 1e-6
criterion(mu, y, std * std)
criterion(mu, y, std.square().clamp(min=1e-6))
criterion(mu, y, torch.exp(2 * log_std))
var = F.softplus(logvar)
Normal(mu, var.sqrt())
Normal(mu, torch.exp(0.5 * logvar))
Normal(mu, torch.exp(logvar / 2))
Normal(mu, log_std.exp())
Normal(mu, var**0.5)


def moments(x):
    variance = F.softplus(x)
    return x, variance


mu, sigma = moments(y)
criterion(mu, y, sigma)
scale = F.softplus(y)
Normal(mu, scale)
criterion(mu, y, scale)
