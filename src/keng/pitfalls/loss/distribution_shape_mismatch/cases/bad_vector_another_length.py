# a vector of another length
import torch

noise = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
score = noise.log_prob(torch.ones(3))  # run: `event_shape`
