# one branch after the other
from torch.utils.data.datapipes.iter import IterableWrapper

left, right = IterableWrapper(range(5000)).fork(2)
total = sum(left) + sum(right)  # run: `buffer_size`
