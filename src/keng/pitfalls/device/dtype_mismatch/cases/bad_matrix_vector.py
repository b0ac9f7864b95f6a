# a matrix and a vector
import torch

a = torch.ones(2, 3).half()
b = torch.ones(3)
c = torch.mv(a, b)  # run: float16 meets float32
