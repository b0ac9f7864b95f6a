# argument: mouth_map=[]
import torch
from torchmetrics.functional.multimodal.lve import lip_vertex_error

vertices = torch.randn(4, 10, 3)
error = lip_vertex_error(vertices, vertices, mouth_map=[])
