# weights of classes for each sample
import torch
from torch.utils.data import WeightedRandomSampler

weights = torch.ones(8, 2)
sampler = WeightedRandomSampler(weights, 8)  # run: one weight
