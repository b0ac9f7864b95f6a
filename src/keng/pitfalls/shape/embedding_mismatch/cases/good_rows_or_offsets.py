# a bag in each row without offsets, or one row with offsets
import torch
from torch import nn

words = torch.zeros(2, 2, dtype=torch.long)
y = nn.EmbeddingBag(3, 4, mode="sum")(words, per_sample_weights=torch.ones(2, 2))
z = nn.EmbeddingBag(3, 4)(words.flatten(), torch.tensor([0, 2]))
table = nn.Embedding.from_pretrained(torch.ones(10, 4), padding_idx=9)
