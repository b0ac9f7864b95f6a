# a measurement of time
import time

import torch

x = torch.ones(3)
start = time.perf_counter()
for _ in range(10):
    x.clone()
elapsed = time.perf_counter() - start
