# losses of the program
import torch


class Loss(torch.nn.Module):
    def __init__(self, size_average=True):
        super().__init__()
        self.size_average = size_average

    def forward(self, x):
        return x.mean() if self.size_average else x.sum()


loss = Loss(size_average=False)(torch.ones(3))
