import sys
import torch
import torch.nn as nn
import torch.nn.functional as F


class Pyramid(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.stem = nn.Conv2d(3, c, 3, 2, 1)
        self.lat = nn.Conv2d(c, c, 1)
        self.drop = nn.Dropout2d(0.1)
        self.cls = nn.Conv2d(c, 5, 1)

    def forward(self, x):
        f = F.relu(self.stem(x))
        if f.mean() > 0:
            f = self.drop(f)
        up = F.interpolate(self.lat(f), scale_factor=2, mode='bilinear', align_corners=True)
        return self.cls(up)


def main(weights, out):
    net = Pyramid()
    net.load_state_dict(torch.load(weights, map_location='cpu'))
    net.eval()
    dummy = torch.randn(1, 3, 128, 128)
    traced = torch.jit.trace(net, dummy)  # check: trace-freezes-branches; api-deprecated (the second not planted)
    traced.save(out + '.pt')
    torch.onnx.export(net, dummy, out + '.onnx', opset_version=9,  # check: onnx-resize-opset
                      input_names=['image'], output_names=['mask'], dynamo=False)


if __name__ == '__main__':
    main(*sys.argv[1:])
