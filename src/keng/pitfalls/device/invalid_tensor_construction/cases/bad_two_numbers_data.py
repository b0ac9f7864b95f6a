# two numbers for data
import torch

x = torch.tensor(2, 3)  # run: `torch.tensor([...])`
