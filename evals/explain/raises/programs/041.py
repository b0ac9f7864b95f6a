# argument:
import torch

shader = torch.mps.compile_shader("kernel void fill() {}")
