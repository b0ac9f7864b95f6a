# a function for a text
import torch
from torch.utils.benchmark import Timer

weight = torch.ones(8, 8)
print(Timer(lambda: weight @ weight).timeit(4))  # run: `Timer("f(x)", globals={"f": f, "x": x})`
