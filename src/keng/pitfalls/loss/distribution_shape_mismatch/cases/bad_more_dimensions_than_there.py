# more dimensions than there are
import torch
from torch.distributions import Independent, Normal

noise = Independent(Normal(torch.zeros(2), 1.0), 2)  # run: `there are only 1`
