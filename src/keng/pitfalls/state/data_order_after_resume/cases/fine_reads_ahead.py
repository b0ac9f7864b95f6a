# a checkpoint at the end of an epoch, and a loop that reads four batches ahead
import io

import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader(torch.randn(80, 4), batch_size=4)
checks = DataLoader(torch.randn(80, 4), batch_size=4)


def ahead(loader, count=4):
    waiting = []
    for batch in loader:
        waiting.append(batch)
        if len(waiting) > count:
            yield waiting.pop(0)
    yield from waiting


def resumed(counters):
    file, model = io.BytesIO(), nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters())
    torch.save({"optimizer": optimizer.state_dict(), **counters}, file)
    file.seek(0)
    checkpoint = torch.load(file)
    optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(checkpoint["epoch"], checkpoint["epoch"] + 3):
        model.train()
        for x in ahead(loader):
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            for x in checks:
                model(x)


resumed({"epoch": 2, "step": 40})
