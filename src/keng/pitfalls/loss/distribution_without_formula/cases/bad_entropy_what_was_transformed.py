# the entropy of what was transformed
import torch
from torch.distributions import Normal, TanhTransform, TransformedDistribution

squashed = TransformedDistribution(Normal(torch.zeros(2), 1.0), [TanhTransform()])
bonus = squashed.entropy()  # run: `entropy`
