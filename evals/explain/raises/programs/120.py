# argument: q_matrix
import torch
from kornia.geometry.camera.stereo import reproject_disparity_to_3D

disparity = torch.rand(3, 4, 4, 1)
q_matrix = torch.eye(4).repeat(2, 1, 1)
points = reproject_disparity_to_3D(disparity, q_matrix)
