# a condition number
import torch

number = torch.linalg.cond(torch.eye(2), p=2.5)  # run: `2.5`
