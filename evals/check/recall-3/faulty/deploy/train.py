import glob

import cv2
import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset

from net import Upscaler


class Pairs(Dataset):
    def __init__(self, pattern):
        self.paths = sorted(glob.glob(pattern))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        big = cv2.imread(self.paths[i])[..., ::-1]
        small = cv2.resize(big, None, fx=0.5, fy=0.5)
        to = lambda a: torch.tensor(np.ascontiguousarray(a.transpose(2, 0, 1)), dtype=torch.float32) / 255
        return to(small), to(big)


def main():
    device = torch.device("cuda")
    net = nn.DataParallel(Upscaler()).to(device)  # check: data-parallel-deprecated
    opt = optim.Adam(net.parameters(), 1e-4)
    loader = DataLoader(Pairs("div2k/*.png"), 16, shuffle=True, num_workers=8)
    best = None
    for epoch in range(300):
        for small, big in loader:
            small.to(device)  # check: tensor-move-discarded
            big = big.to(device)
            loss = nn.functional.l1_loss(net(small), big)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if best is None or loss.item() < best:
            best = loss.item()
            torch.save({"net": net.state_dict(), "epoch": epoch}, "up.pth")  # check: state-prefix (debatable: convert.py strips it)


if __name__ == "__main__":
    main()
