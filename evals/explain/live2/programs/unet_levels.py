import torch
from diffusers import UNet2DModel

WIDTHS = (32, 64)
model = UNet2DModel(
    sample_size=16,
    in_channels=3,
    out_channels=3,
    layers_per_block=1,
    block_out_channels=WIDTHS,
    down_block_types=("DownBlock2D", "DownBlock2D", "DownBlock2D"),
    up_block_types=("UpBlock2D", "UpBlock2D"),
    norm_num_groups=8,
)
print(model(torch.randn(1, 3, 16, 16), 10).sample.shape)
