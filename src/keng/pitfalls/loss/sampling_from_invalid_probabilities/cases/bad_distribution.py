# a distribution
import torch

spread = torch.tensor([0.5, float("nan")])
noise = torch.distributions.Normal(torch.zeros(2), spread)  # run: `scale` of a Normal
