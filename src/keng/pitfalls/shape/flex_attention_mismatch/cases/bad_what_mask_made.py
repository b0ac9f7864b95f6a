# what a mask is made of
import torch
from torch.nn.attention.flex_attention import create_block_mask

lower = torch.ones(128, 128).tril() > 0
mask = create_block_mask(lower, 1, 1, 128, 128, device="cpu")  # run: `function`
