# a module for a data set's class
from torch.utils import data


class Pairs(data.dataset):  # run: `data.Dataset`
    pass
