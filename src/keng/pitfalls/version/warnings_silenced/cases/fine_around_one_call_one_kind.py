# around one call; one category; one module; back to the default
import warnings

import torch

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    x = torch.ones(3)
warnings.simplefilter("ignore", DeprecationWarning)
warnings.filterwarnings("ignore", module="torchvision")
warnings.filterwarnings("default")
