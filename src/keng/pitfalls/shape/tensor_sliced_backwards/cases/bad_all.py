# not all of it
import torch

returns = torch.zeros(8)
late = returns[6:2:-2]  # check: back, by two
