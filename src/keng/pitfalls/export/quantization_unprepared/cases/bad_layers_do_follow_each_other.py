# layers that do not follow each other
from torch import nn

layer, norm = nn.Linear(2, 2).eval(), nn.BatchNorm1d(3).eval()
nn.utils.fuse_linear_bn_eval(layer, norm)  # run: `out_features`
