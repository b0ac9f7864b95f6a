# argument: normalization="max"
import torch
from torchmetrics.functional.regression import normalized_root_mean_squared_error

error = normalized_root_mean_squared_error(torch.ones(3), torch.ones(3), normalization="max")
