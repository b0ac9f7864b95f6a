# both sizes
from torch import nn

pool = nn.FractionalMaxPool2d(2, output_size=4, output_ratio=0.5)  # run: `output_ratio`
