# height first; the size of a PIL image; a grid of another layout
import numpy as np
import torch


def relative(img, grid, boxes):
    h, w, _ = img.shape
    height, width = img.shape[:2]
    w_cells, h_cells, _ = grid.shape
    return boxes / torch.tensor([w, h]), height * width, w_cells * h_cells


out = relative(np.zeros((10, 20, 3)), np.zeros((4, 5, 1)), torch.tensor([[20.0, 10.0]]))
