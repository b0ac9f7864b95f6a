import os
import sys

import torch
import torch.distributed as dist
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel as DDP

from data import make_loader
from model import Classifier


def setup():
    dist.init_process_group('nccl')
    torch.cuda.set_device(int(os.environ['LOCAL_RANK']))


def train_epoch(model, loader, optimizer):
    model.train()
    for feats, labels in loader:
        feats, labels = feats.cuda(), labels.cuda()
        optimizer.zero_grad()
        loss = cross_entropy(model.module(feats), labels)  # check: trained-past-wrapper
        loss.backward()
        optimizer.step()
    return loss.item()


def main(manifest):
    setup()
    model = DDP(Classifier(80, 35).cuda())
    loader = make_loader(manifest, 32, train=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(20):
        loss = train_epoch(model, loader, optimizer)
        if dist.get_rank() == 0:
            print(epoch, loss)
            torch.save(model.state_dict(), f'epoch{epoch}.pt')  # check: state-prefix
    dist.destroy_process_group()


if __name__ == '__main__':
    main(sys.argv[1])
