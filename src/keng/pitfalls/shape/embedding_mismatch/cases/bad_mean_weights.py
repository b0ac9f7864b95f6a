# a mean with weights
import torch
from torch import nn

bags, words = nn.EmbeddingBag(9, 4), torch.tensor([1, 2, 5])
mean = bags(words, torch.tensor([0]), per_sample_weights=torch.ones(3))  # run: `not 'mean'`
