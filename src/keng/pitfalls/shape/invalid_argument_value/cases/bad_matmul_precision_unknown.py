# what has no effect
import warnings

import torch

warnings.simplefilter("error")
torch.set_float32_matmul_precision("fast")  # run: as before
