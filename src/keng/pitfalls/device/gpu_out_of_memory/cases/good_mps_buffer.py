# the memory of an accelerator that is no NVIDIA card is full
# needs: a Mac, an Intel card or a TPU
import torch

scores = torch.empty(700, 700)
