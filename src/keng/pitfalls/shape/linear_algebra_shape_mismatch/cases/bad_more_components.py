# more components than there are
import torch

u, s, v = torch.pca_lowrank(torch.ones(3, 4), q=9)  # run: `9 components`
