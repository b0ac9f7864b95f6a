# vectors for matrices
import torch

apart = torch.cdist(torch.ones(3), torch.zeros(3))  # run: `at least 2`
