# a text of a number
import torch

losses = torch.ones(4)
line = f"{losses:.3f}"  # run: `.item()`
