# a process of one's own
import multiprocessing

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)


def predict(batch):
    print(model(batch.to(device)))


worker = multiprocessing.Process(target=predict, args=(torch.ones(2, 4),))  # check: it is forked
worker.start()
worker.join()

# proof
assert worker.exitcode != 0
