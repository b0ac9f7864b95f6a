# in another module
from torch import DataLoader  # run: `torch.utils.data.DataLoader`
