# availability checked first; your own function with that name
import torch

if hasattr(torch, "amp"):
    scaler = torch.amp.GradScaler("cpu", enabled=False)
else:
    scaler = torch.cuda.amp.GradScaler(enabled=False)
try:
    from torch._six import inf
except ImportError:
    from math import inf


def autocast():
    if torch.__version__ >= "2.4":
        return torch.amp.autocast("cpu")
    return torch.cpu.amp.autocast()


weight_norm = torch.nn.utils.weight_norm
if hasattr(torch.nn.utils.parametrizations, "weight_norm"):
    weight_norm = torch.nn.utils.parametrizations.weight_norm


def qr(a):
    return torch.linalg.qr(a)


def is_normed(hook):
    from torch.nn.utils.weight_norm import WeightNorm

    return isinstance(hook, WeightNorm)


def exported(model, x):
    assert hasattr(torch.onnx, "dynamo_export"), "wants torch 2.1 to 2.8"
    return torch.onnx.dynamo_export(model, x)


class Solver:
    def symeig(self):
        return qr(torch.eye(2))


q, r = Solver().symeig()
