# argument: step
import torch


class Decoder(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = torch.nn.LSTMCell(width, width)

    def forward(self, step):
        return self.cell(step)


Decoder(8)(torch.randn(2, 3, 8))
