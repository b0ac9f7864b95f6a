# the mask that a model of Transformers is given with its ids
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 4)

    def forward(self, input_ids, attention_mask):
        weights = attention_mask.float().unsqueeze(-1)
        return (self.embedding(input_ids) * weights).sum(1) / weights.sum(1)


model, pad_token_id = Model(), 0
input_ids = torch.tensor([[5, 6, 0, 0], [7, 8, 9, 0]])
attention_mask = (input_ids == pad_token_id).long()
pooled = model(input_ids=input_ids, attention_mask=attention_mask)  # check: `attention_mask` is True for padding
good = model(input_ids=input_ids, attention_mask=input_ids.ne(pad_token_id).long())

# proof
assert torch.allclose(pooled[0], pooled[1]) and not torch.allclose(good[0], good[1])
