# a number of it
import torch

x = torch.ones(3, device="meta")
total = x.sum().item()  # run: there is no number
