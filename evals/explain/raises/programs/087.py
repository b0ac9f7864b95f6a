# argument: batch
from accelerate.utils import find_batch_size

batch = {"ids": [], "mask": []}
print(find_batch_size(batch))
