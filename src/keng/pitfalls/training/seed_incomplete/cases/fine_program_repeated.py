# a program that is not to be repeated
import random

import torch

files = list(range(100))
random.shuffle(files)
x = torch.rand(3)
