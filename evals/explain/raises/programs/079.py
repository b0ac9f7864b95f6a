# argument: margin=1.0
from lightning.pytorch.callbacks import BatchSizeFinder

finder = BatchSizeFinder(margin=1.0)
