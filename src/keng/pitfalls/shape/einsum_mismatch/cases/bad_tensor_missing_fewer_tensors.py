# a tensor is missing; `fewer tensors`
import torch

y = torch.einsum("ij,jk->ik", torch.ones(2, 3))  # run: one of two
