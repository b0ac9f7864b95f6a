# an argument whose siblings are passed on; one that is kept while its default is written out; one that callers vary
import torch
from torch import nn


class Average:
    def __init__(self, net, beta=0.9, update_after=10, update_every=1):
        self.net, self.beta, self.update_after, self.update_every = net, beta, update_after, update_every


class Trainer:
    def __init__(self, net, ema_beta=0.99, ema_update_after=5, ema_update_every=2):  # check: `ema_update_after` is passed on
        self.average = Average(net, update_after=ema_update_after, update_every=ema_update_every)


class Strongest(nn.Module):
    def __init__(self, top_k=5):
        super().__init__()
        self.top_k = top_k

    def forward(self, x):
        return torch.topk(x, 5).values  # check: its default `5` is written here


class Transition(nn.Module):
    def __init__(self, in_channels, out_channels=16):
        super().__init__()
        self.conv = nn.Conv1d(in_channels=in_channels, out_channels=16, kernel_size=1)  # check: `out_channels`

    def forward(self, x):
        return self.conv(x)


def blurred(x, sigma):  # check: `sigma` is accepted, and nothing reads it
    kernel = torch.full((1, 1, 3), 1 / 3)
    padded = nn.functional.pad(x, (1, 1))
    return nn.functional.conv1d(padded, kernel)


def traced(model, example, **kwargs):  # check: `**kwargs` is accepted and described
    """Traces a model.

    kwargs: other arguments for `torch.jit.trace`.
    """
    model.eval()
    return torch.jit.trace(model, example)


trainer = Trainer(nn.Linear(1, 1), ema_beta=0.5)
strongest = Strongest(2)(torch.arange(8.0))
wide = Transition(1, out_channels=4)(torch.ones(1, 1, 2))
soft, softer = blurred(torch.ones(1, 1, 4), 0.5), blurred(torch.ones(1, 1, 4), 2.0)

# proof
assert trainer.average.beta == 0.9 and len(strongest) == 5 and wide.shape[1] == 16
assert torch.equal(soft, softer)
