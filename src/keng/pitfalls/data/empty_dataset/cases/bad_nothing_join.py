# nothing to join
from torch.utils.data import ConcatDataset

data = ConcatDataset([])  # run: `no datasets`
