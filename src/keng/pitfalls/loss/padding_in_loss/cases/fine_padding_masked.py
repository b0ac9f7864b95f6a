# padding that is masked in the labels; one end of the text that is padding too; a model that leaves padding out itself
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
        if self.leaves_out:
            labels = labels.masked_fill(attention_mask == 0, -100)
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


for kind in ("masked", "ends", "inside"):
    model = Model()
    model.leaves_out = kind == "inside"
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(10):
        ids, mask = torch.randint(1, 32, (4, 20)), torch.ones(4, 20, dtype=torch.long)
        labels = ids.clone()
        for row, length in enumerate(torch.randint(6, 19, (4,)).tolist()):
            ids[row, length:], mask[row, length:] = PAD, 0
            labels[row, length:] = PAD if kind == "inside" else -100
            if kind == "ends":
                labels[row, length] = PAD
        optimizer.zero_grad()
        model(input_ids=ids, attention_mask=mask, labels=labels).backward()
        optimizer.step()
