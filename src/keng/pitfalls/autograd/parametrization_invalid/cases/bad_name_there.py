# a name that is not there
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

spectral_norm(nn.Linear(4, 3), "weights")  # run: `weights`
