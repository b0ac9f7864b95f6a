# by the logarithm of the variance; a variance for a deviation
import torch
from torch.distributions import Normal
from torch.nn import functional as F


def likelihood(mu, logvar, y):
    spread = torch.exp(0.5 * logvar)
    return F.gaussian_nll_loss(mu, y, spread)  # check: a deviation


mu, logvar, y = torch.zeros(3), torch.full((3,), 4.0), torch.ones(3)
loss = likelihood(mu, logvar, y)
prior = Normal(mu, logvar.exp())  # check: a variance
std = logvar.mul(0.5).exp()
wide = Normal(mu, std**2)  # check: as well

# proof
assert torch.allclose(loss, F.gaussian_nll_loss(mu, y, torch.full((3,), 2.0).exp()))
assert torch.allclose(prior.variance, (2 * logvar).exp())
