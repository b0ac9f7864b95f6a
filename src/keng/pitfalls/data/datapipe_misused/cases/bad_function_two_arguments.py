# a function of two arguments
from torch.utils.data.datapipes.iter import IterableWrapper


def scaled(x, factor):
    return factor * x


pipe = IterableWrapper(range(3)).map(scaled)  # run: `scaled`
