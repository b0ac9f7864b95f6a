# as many components as there are
import torch

u, s, v = torch.pca_lowrank(torch.ones(3, 4), q=3)
values, vectors = torch.linalg.eigh(torch.eye(3))
