# objects
from torch.utils.data import DataLoader

samples = [object(), object()]
batch = next(iter(DataLoader(samples, batch_size=2)))  # run: `object`
