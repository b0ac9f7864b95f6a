# a pool of processes
from functools import partial
from multiprocessing import Pool

import torch
from torch import nn

torch.cuda.init()


def predict(batch, scale):
    return nn.Linear(4, 1).cuda()(scale * batch.cuda()).sum().item()


with Pool(2) as pool:  # check: its processes are forked
    print(pool.map(partial(predict, scale=2.0), [torch.ones(2, 4)] * 4))
