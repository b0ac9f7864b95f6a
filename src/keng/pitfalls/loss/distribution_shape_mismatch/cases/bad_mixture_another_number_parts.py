# a mixture of another number of parts
import torch
from torch.distributions import Categorical, MixtureSameFamily, Normal

parts = Normal(torch.zeros(2), 1.0)
mixture = MixtureSameFamily(Categorical(torch.ones(3)), parts)  # run: `3 mixture weights`
