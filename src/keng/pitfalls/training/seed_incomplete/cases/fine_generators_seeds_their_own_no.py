# generators with their own seeds; no seed for PyTorch either
import random

import numpy as np
import torch

torch.manual_seed(0)
own = random.Random(0)
files = list(range(100))
own.shuffle(files)
order = np.random.default_rng(0).permutation(100)
