# two masks
import torch

x = torch.tensor([0.5, -1.0])
inside = x > 0 and x < 1  # run: & and | join masks
