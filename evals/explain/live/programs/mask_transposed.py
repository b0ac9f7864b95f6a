import torch
from torch import nn

PAD = 0
batch = torch.randint(1, 50, (8, 21))
batch[:, 15:] = PAD
mask = (batch.t() == PAD)

embedding = nn.Embedding(50, 32, padding_idx=PAD)
layer = nn.TransformerEncoderLayer(32, 4, dim_feedforward=64, batch_first=True)
encoder = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
head = nn.Linear(32, 2)

hidden = encoder(embedding(batch), src_key_padding_mask=mask)
loss = nn.functional.cross_entropy(head(hidden[:, 0]), torch.randint(2, (8,)))
loss.backward()
