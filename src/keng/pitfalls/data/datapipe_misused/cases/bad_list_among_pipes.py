# a list among pipes
from torch.utils.data.datapipes.iter import IterableWrapper

pairs = IterableWrapper(range(3)).zip([1, 2, 3])  # run: `IterableWrapper`
