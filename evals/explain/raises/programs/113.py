# argument: amount=1.5
from torch_geometric.sampler.base import NegativeSampling

sampling = NegativeSampling("triplet", amount=1.5)
