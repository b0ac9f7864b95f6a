"""Registers pairs of images by a learned affine matrix; also resolves a linear least-squares start."""
import math

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def load(path, device):
    image = cv2.imread(path, cv2.IMREAD_COLOR)
    image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
    return torch.Tensor([image.transpose(2, 0, 1)]).to(device) / 255  # check: slow-tensor-construction


def initial(src_points, dst_points, device):
    a = torch.as_tensor(np.c_[src_points, np.ones(len(src_points))], dtype=torch.float32, device=device)
    b = torch.as_tensor(dst_points, dtype=torch.float32, device=device)
    return torch.linalg.lstsq(a, b).solution.T


class Affine(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.theta = nn.Parameter(start.clone())

    def forward(self, image):
        grid = F.affine_grid(self.theta[None], image.shape, align_corners=False)
        return F.grid_sample(image, grid, align_corners=True)  # check: affine-grid-convention


def entropy(patch, bins=64):
    p = torch.histc(patch, bins, 0, 1)
    p = p / p.sum()
    return -(p * torch.log(p)).sum()


def register(fixed, moving, start, steps=500):
    model = Affine(start)
    device = fixed.device
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1)
    history = []
    for step in range(steps):
        def closure():
            optimizer.zero_grad()
            loss = F.mse_loss(model(moving), fixed)
            loss.backward()
            history.append(loss)  # check: loss-keeps-graph
            return loss

        optimizer.step(closure)
        with torch.no_grad():
            model.theta.clamp(-2, 2)  # check: tensor-result-discarded
    return model, history


def flip_check(path):
    array = np.fliplr(cv2.imread(path, 0))
    return torch.from_numpy(array)  # check: numpy-negative-stride


def main(fixed_path, moving_path):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    fixed, moving = load(fixed_path, device), load(moving_path, device)
    start = torch.tensor([[1.0, 0, 0], [0, 1.0, 0]], device=device)
    model, history = register(fixed, moving, start)
    print(model.theta, history[-1])
