# two arguments, one tensor
import torch


class Masked(torch.nn.Module):
    def forward(self, x, mask):
        return x * mask


program = torch.export.export(Masked(), (torch.ones(2),))  # run: `mask`
