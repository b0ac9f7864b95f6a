# of a parametrization
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

spectral_norm(nn.Linear(2, 2), dim=3)  # run: `no dimension 3`
