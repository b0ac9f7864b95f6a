# argument: table
import torch
import torch.ao.nn.quantized as nnq

table = torch.nn.Embedding(10, 3)
quantized = nnq.EmbeddingBag.from_float(table)
