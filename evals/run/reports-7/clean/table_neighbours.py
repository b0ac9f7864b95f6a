"""Pretraining of an encoder of tables with neighbours, after https://github.com/OpenTabular/DeepTab/issues/414."""

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from torch import nn
from torch.nn import functional as F

NEIGHBOURS, EPOCHS, BATCH = 4, 12, 64
torch.manual_seed(25)


class Encoder(nn.Module):
    def __init__(self, inputs=64, width=64, outputs=16):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, outputs)
        )

    def forward(self, x):
        return self.layers(x)


class Pretrainer:
    """Draws rows to their nearest ones and away from some of the farther half."""

    def __init__(self, encoder, rows, use_positive=True, use_negative=True):
        self.encoder, self.rows = encoder, rows
        self.use_positive, self.use_negative = use_positive, use_negative
        self.order = torch.cdist(rows, rows).argsort(1)
        self.criterion = nn.CosineEmbeddingLoss(margin=0.0)
        self.optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)

    def neighbours(self, index):
        """Nearest rows, and rows of the farther half, k of each for each anchor."""
        near = self.order[index, 1 : NEIGHBOURS + 1]
        column = torch.randint(self.order.shape[1] // 2, self.order.shape[1], near.shape)
        return near, self.order[index].gather(1, column)

    def loss(self, index):
        near, far = self.neighbours(index)
        embeddings, pairs, labels = self.encoder(self.rows[index]), [], []
        if self.use_positive:
            pairs.append(self.encoder(self.rows[near.flatten()]))
            labels.append(torch.ones(near.numel()))
        if self.use_negative:
            pairs.append(self.encoder(self.rows[far.flatten()]))
            labels.append(-torch.ones(far.numel()))
        anchors = embeddings.repeat_interleave(NEIGHBOURS, dim=0).repeat(len(pairs), 1)
        return self.criterion(anchors, torch.cat(pairs), torch.cat(labels))

    def epoch(self):
        total = count = 0.0
        for index in torch.randperm(len(self.rows)).split(BATCH):
            loss = self.loss(index)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total, count = total + loss.item(), count + 1
        return total / count


@torch.no_grad()
def evaluate(encoder, x_train, y_train, x_test, y_test):
    """Accuracy of the classes of the nearest training rows in the embedding, by angle."""
    a, b = (F.normalize(encoder(x), dim=1).numpy() for x in (x_train, x_test))
    return KNeighborsClassifier(10).fit(a, y_train).score(b, y_test)


images, classes = load_digits(return_X_y=True)
x_train, x_test, y_train, y_test = train_test_split(images / 16, classes, test_size=0.3, random_state=0)
x_train, x_test = torch.tensor(x_train).float(), torch.tensor(x_test).float()
encoder = Encoder()
print(f"before: accuracy of neighbours {evaluate(encoder, x_train, y_train, x_test, y_test):.4f}")
pretrainer = Pretrainer(encoder, x_train)
for epoch in range(EPOCHS):
    loss = pretrainer.epoch()
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1} loss {loss:.4f}")
accuracy = evaluate(encoder, x_train, y_train, x_test, y_test)
few = torch.randperm(len(x_train))[:50]
head = nn.Linear(16, 10)
optimizer = torch.optim.Adam(head.parameters(), lr=0.02)
with torch.no_grad():
    known, unknown = encoder(x_train[few]), encoder(x_test)
for _ in range(200):
    loss = F.cross_entropy(head(known), torch.tensor(y_train[few.numpy()]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
linear = (head(unknown).argmax(1) == torch.tensor(y_test)).float().mean().item()
print(f"after: accuracy of neighbours {accuracy:.4f} of a head with 50 labels {linear:.4f}")
print(f"checksum {sum(p.double().sum() for p in encoder.parameters()).item():.6f}")
