# argument: zeros_per_block=5
import torch
from torch.ao.pruning import WeightNormSparsifier

net = torch.nn.Sequential(torch.nn.Linear(8, 8))
sparsifier = WeightNormSparsifier(sparsity_level=0.5, sparse_block_shape=(1, 4), zeros_per_block=5)
sparsifier.prepare(net, config=[{"tensor_fqn": "0.weight"}])
sparsifier.step()
