# bytes in another order
import numpy as np
import torch

samples = np.array([1.0, 2.0], dtype=">f4")
x = torch.from_numpy(samples)  # run: `newbyteorder('=')`
