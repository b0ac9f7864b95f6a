# of a number
import torch

loss = torch.ones(()).item()
total = loss.item()  # run: a plain float
