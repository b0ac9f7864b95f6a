# no iterations
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

spectral_norm(nn.Linear(2, 2), n_power_iterations=0)  # run: `n_power_iterations`
