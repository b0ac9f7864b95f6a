# a number
import torch

losses = torch.ones(4)
total = losses.item()  # run: `4 values`
