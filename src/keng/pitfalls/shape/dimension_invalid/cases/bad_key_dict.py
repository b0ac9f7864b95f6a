# a key, as of a dict
import torch

outputs = torch.ones(2, 3)
loss = outputs["loss"]  # run: `a key`
