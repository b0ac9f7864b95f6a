# a program that need not be repeatable
import random

import torch

files = list(range(100))
random.shuffle(files)
x = torch.rand(3)
