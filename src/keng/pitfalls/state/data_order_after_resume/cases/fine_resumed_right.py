# the batches that were done are skipped in the resumed epoch alone
import io

import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader(torch.randn(80, 4), batch_size=4)
checks = DataLoader(torch.randn(80, 4), batch_size=4)


def resumed(counters, done=0):
    file, model = io.BytesIO(), nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters())
    torch.save({"optimizer": optimizer.state_dict(), **counters}, file)
    file.seek(0)
    checkpoint = torch.load(file)
    optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(checkpoint["epoch"], checkpoint["epoch"] + 3):
        model.train()
        for step, x in enumerate(loader):
            if epoch == checkpoint["epoch"] and step < done:
                continue
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            for x in checks:
                model(x)


resumed({"epoch": 1, "step": 27}, done=7)
