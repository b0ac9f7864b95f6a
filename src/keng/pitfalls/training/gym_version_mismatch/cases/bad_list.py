# a list of it
import numpy as np
import torch

state = np.zeros(4, dtype=np.float32), {}
x = torch.FloatTensor(state)  # run: `state, info = env.reset()`
