# subtracted without its minus; negated inside; both reversed; a root later; the logarithm of a deviation; other sums
import torch
import torch.nn.functional as F

told, x = torch.rand(4, 3), torch.rand(4, 3)
mu, logvar, log_std = torch.randn(4, 2), torch.randn(4, 2), torch.randn(4, 2)
bce = F.binary_cross_entropy(told, x)
loss = bce - 0.5 * torch.mean(1 + logvar - mu.pow(2) - logvar.exp())
kl = 0.5 * torch.sum(mu**2 + logvar.exp() - logvar - 1)
loss = bce + 0.1 * kl
elbo = -bce + 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
loss = -elbo
var = torch.exp(logvar)
std = torch.exp(logvar).sqrt()
std = torch.exp(log_std)
std = torch.exp(logvar / 2)
other = bce - torch.mean(logvar.exp())
