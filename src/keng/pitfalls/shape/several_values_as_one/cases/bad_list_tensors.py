# a list of tensors
import torch

parts = [torch.ones(2), torch.ones(2)]
whole = torch.tensor(parts)  # run: torch.stack
