# an index for what reads
import torch

losses = torch.ones(3)
first = losses.item(0)  # run: `takes no arguments`
