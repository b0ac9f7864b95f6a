# parts that do not add up
from torch.utils.data import random_split

samples = range(101)
parts = [int(share * len(samples)) for share in (0.8, 0.2)]
train, test = random_split(samples, parts)  # run: `[0.8, 0.2]`
