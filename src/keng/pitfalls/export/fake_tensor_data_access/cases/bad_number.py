# a number
import torch
from torch._subclasses import FakeTensorMode

with FakeTensorMode():
    n = torch.ones(1).item()  # run: `aten._local_scalar_dense.default`
