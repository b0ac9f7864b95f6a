import torch, torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

VOCAB, EMB, HID = 500, 32, 48


class SentimentLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, EMB, padding_idx=0)
        self.lstm = nn.LSTM(EMB, HID, num_layers=2, dropout=0.2)
        self.fc = nn.Linear(HID, 1)

    def forward(self, tokens):
        # tokens: (batch, length)
        emb = self.embedding(tokens)
        out, (h, c) = self.lstm(emb)  # check: rnn-batch-first
        return self.fc(out[:, -1, :])


texts = torch.randint(1, VOCAB, (256, 20))
labels = torch.randint(0, 2, (256,)).float()
loader = DataLoader(TensorDataset(texts, labels), batch_size=32, shuffle=True)

model = SentimentLSTM()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

total = 0
for epoch in range(2):
    for tokens, target in loader:
        optimizer.zero_grad()
        logits = model(tokens).squeeze()
        loss = criterion(torch.sigmoid(logits), target)  # check: bce-wants-probabilities or squeezed-without-dim
        loss.backward()
        optimizer.step()
        total += loss  # check: loss-keeps-graph
    print(epoch, total / len(loader))
