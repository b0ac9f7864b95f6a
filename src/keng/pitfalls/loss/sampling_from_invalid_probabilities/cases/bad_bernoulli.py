# of Bernoulli
import torch

kept = torch.bernoulli(torch.full((3,), 1.5))  # run: 1.5 is no probability
