# a dtype that NumPy lacks
import torch

x = torch.ones(3, dtype=torch.bfloat16)
array = x.numpy()  # run: `.float()`
