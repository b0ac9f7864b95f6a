import sys
import time

import torch
from torch import nn
import torch.nn.functional as F


class Seg(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Conv2d(3, 16, 3, 2, 1)
        self.drop = nn.Dropout2d(0.1)
        self.dec = nn.Conv2d(16, 2, 1)

    def forward(self, x):
        h = self.drop(F.relu(self.enc(x)))
        return F.interpolate(self.dec(h), size=x.shape[-2:], mode='bilinear', align_corners=False)


def load(path, device):
    net = Seg()
    net.load_state_dict(torch.load(path, map_location=device, weights_only=True))
    return net.to(device).eval()


@torch.inference_mode()
def bench(net, x, n=20):
    for _ in range(3):
        net(x)
    if x.is_cuda:
        torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(n):
        net(x)
    if x.is_cuda:
        torch.cuda.synchronize()
    return (time.perf_counter() - start) / n


def main(path, out):
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    net = load(path, device)
    x = torch.rand(1, 3, 64, 64, device=device)
    print(bench(net, x))
    program = torch.export.export(net, (x,), dynamic_shapes={'x': {0: torch.export.Dim('b')}})
    torch.export.save(program, out + '.pt2')
    torch.onnx.export(net, (x,), out + '.onnx', opset_version=18, dynamo=True)
    with torch.no_grad():
        mask = net(x).argmax(1).to('cpu')
    print(mask.float().mean().item(), mask.numpy().shape)


if __name__ == '__main__':
    main(*sys.argv[1:])
