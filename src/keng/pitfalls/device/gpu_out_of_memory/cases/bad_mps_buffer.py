# the memory of an accelerator that is no NVIDIA card is full
# needs: a Mac, an Intel card or a TPU
import torch

scores = torch.empty(70_000, 70_000, device="mps")  # run: `18.25 GiB`
