# powers of a matrix
import torch

powers = torch.vander(torch.ones(2, 3))  # run: `torch.linalg.vander`
