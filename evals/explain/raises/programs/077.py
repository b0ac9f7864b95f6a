# argument: swa_epoch_start=0
from lightning.pytorch.callbacks import StochasticWeightAveraging

average = StochasticWeightAveraging(swa_lrs=1e-2, swa_epoch_start=0)
