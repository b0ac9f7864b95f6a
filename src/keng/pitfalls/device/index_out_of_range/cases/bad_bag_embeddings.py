# a bag of embeddings
import torch
from torch import nn

bag = nn.EmbeddingBag(10, 4)
y = bag(torch.tensor([[1, 12]]))  # run: 10 rows are numbered 0 to 9
