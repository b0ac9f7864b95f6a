# argument: _weight=weight
import torch
import torch.ao.nn.quantized as nnq


def table(rows, width):
    weight = torch.quantize_per_channel(
        torch.randn(rows, width), torch.ones(rows), torch.zeros(rows), axis=0, dtype=torch.quint8
    )
    return nnq.Embedding(rows, width + 1, _weight=weight)


embedding = table(10, 4)
