# CUDA in the children alone; a child that does without; spawned
import multiprocessing

import torch
from torch import nn


def alone(batch):
    print(nn.Linear(4, 1).cuda()(batch.cuda()))


def without(batch):
    print(batch.sum())


def run():
    batch = torch.ones(2, 4)
    multiprocessing.Process(target=alone, args=(batch,)).start()
    total = batch.cuda().sum()
    multiprocessing.Process(target=without, args=(batch,)).start()
    return total


if __name__ == "__main__":
    run()
