# a random default is drawn when the function is defined
import random

import torch


class Task:
    def __init__(self, seed=random.randint(0, 100000)):  # check: runs once, when the function is defined
        self.generator = torch.Generator().manual_seed(seed)


one, other = Task(), Task()

# proof
assert one.generator.initial_seed() == other.generator.initial_seed()
