"""A mask of answers that is shifted once too often, so no first token of an answer is learned, after OpenRLHF/OpenRLHF issue 973."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(3)
EOS = 29


class SFTDataset(Dataset):
    def __init__(self):
        self.rows = []
        for _ in range(96):
            prompt = torch.randint(2, 28, (int(torch.randint(4, 9, ())),))
            answer = prompt.flip(0)[:4]
            self.rows.append((prompt, torch.cat([answer, torch.tensor([EOS])])))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        prompt, answer = self.rows[i]
        ids = torch.cat([prompt, answer])
        mask = torch.zeros(len(ids))
        mask[len(prompt) : -1] = 1  # run: tokens-not-learned
        return ids, mask


def collate(rows):
    pad = nn.utils.rnn.pad_sequence
    return pad([r[0] for r in rows], True), pad([r[1] for r in rows], True)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(30, 32), nn.Embedding(16, 32)
        self.layer = nn.TransformerEncoderLayer(32, 4, 64, 0.0, batch_first=True)
        self.head = nn.Linear(32, 30)

    def forward(self, ids):
        t = ids.shape[1]
        h = self.tokens(ids) + self.places(torch.arange(t))
        causal = nn.Transformer.generate_square_subsequent_mask(t)
        return self.head(self.layer(h, src_mask=causal, is_causal=True))


model = Decoder()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
loader = DataLoader(SFTDataset(), 16, shuffle=True, collate_fn=collate)
for epoch in range(6):
    for ids, mask in loader:
        log_probs = model(ids)[:, :-1].log_softmax(-1)
        chosen = log_probs.gather(-1, ids[:, 1:, None]).squeeze(-1)
        loss = -(chosen * mask[:, :-1]).sum() / mask[:, :-1].sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
show(model)
