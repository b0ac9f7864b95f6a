"""A loss mask that is shifted towards the prompt: the last prompt token is learned and the end never, after verl-project/verl pull 5362."""

import torch
from digest import show
from torch import nn

torch.manual_seed(4)
PAD, END = 0, 1
prompts = torch.randint(2, 24, (80, 5))
answers = torch.cat([prompts[:, :3] // 2 + 1, torch.full((80, 1), END)], 1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(24, 48)
        self.rnn = nn.GRU(48, 48, batch_first=True)
        self.lm_head = nn.Linear(48, 24, bias=False)

    def forward(self, ids):
        return self.lm_head(self.rnn(self.embed(ids))[0])


def item(row):
    input_ids = torch.cat([prompts[row], answers[row]])
    loss_mask = torch.ones(len(input_ids))
    loss_mask[: len(prompts[row])] = 0
    return input_ids, loss_mask.roll(-1)  # run: tokens-not-learned


model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
loss_fct = nn.CrossEntropyLoss(reduction="none")
for epoch in range(8):
    for rows in torch.randperm(80).split(16):
        items = [item(row) for row in rows]
        input_ids = torch.stack([each[0] for each in items])
        loss_mask = torch.stack([each[1] for each in items])
        shift_mask = loss_mask[:, 1:].reshape(-1)
        logits = model(input_ids)[:, :-1].reshape(-1, 24)
        loss = (loss_fct(logits, input_ids[:, 1:].reshape(-1)) * shift_mask).sum() / shift_mask.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
show(model)
