# without statistics
from torch import nn

norm = nn.BatchNorm2d(2, track_running_stats=False).eval()
layer = nn.utils.fuse_conv_bn_eval(nn.Conv2d(2, 2, 1).eval(), norm)  # run: `track_running_stats`
