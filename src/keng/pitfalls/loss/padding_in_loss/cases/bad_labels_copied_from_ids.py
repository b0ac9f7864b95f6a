# labels are a copy of the ids, as for a causal language model, and padding is not masked
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
PAD = 0


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.head = nn.Embedding(32, 16), nn.GRU(16, 16, batch_first=True), nn.Linear(16, 32)

    def forward(self, input_ids, attention_mask, labels):
        logits = self.head(self.rnn(self.embed(input_ids))[0])
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


model = Model()
optimizer = torch.optim.Adam(model.parameters())
for step in range(10):
    ids, mask = torch.randint(1, 32, (4, 20)), torch.ones(4, 20, dtype=torch.long)
    for row, length in enumerate(torch.randint(6, 20, (4,)).tolist()):
        ids[row, length:], mask[row, length:] = PAD, 0
    optimizer.zero_grad()
    loss = model(input_ids=ids, attention_mask=mask, labels=ids.clone())  # run: of the labels that are learned are padding
    loss.backward()
    optimizer.step()
# proof
right = model(input_ids=ids, attention_mask=mask, labels=ids.masked_fill(mask == 0, -100))
assert not torch.allclose(model(input_ids=ids, attention_mask=mask, labels=ids), right)
