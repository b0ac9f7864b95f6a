# a vector that is factored
import torch

inverse = torch.linalg.pinv(torch.ones(2))  # run: `linalg.pinv`
