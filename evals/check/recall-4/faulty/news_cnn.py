import argparse
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


def set_seed(seed):
    torch.manual_seed(seed)  # check: seed-incomplete


class NewsDataset(Dataset):
    def __init__(self, path, vocab, max_len=64):
        self.samples = []
        with open(path, encoding="utf-8") as f:
            for line in f:
                label, text = line.rstrip("\n").split("\t")
                ids = [vocab.get(w, 1) for w in text.split()][:max_len]
                ids += [0] * (max_len - len(ids))
                self.samples.append((ids, int(label)))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        ids, label = self.samples[i]
        if random.random() < 0.1:
            ids = list(ids)
            ids[np.random.randint(len(ids))] = 1  # check: seed-incomplete (true, not planted)
        return torch.LongTensor(ids), label


class TextCNN(nn.Module):
    def __init__(self, vocab_size, embed_dim, num_classes, kernel_sizes=(3, 4, 5), num_filters=100):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_dim, padding_idx=0)
        self.convs = [nn.Conv2d(1, num_filters, (k, embed_dim)) for k in kernel_sizes]  # check: module-not-registered
        self.fc = nn.Linear(len(kernel_sizes) * num_filters, num_classes)

    def conv_and_pool(self, x, conv):
        x = F.relu(conv(x)).squeeze(3)
        return F.max_pool1d(x, x.size(2)).squeeze(2)

    def forward(self, x):
        out = self.embedding(x).unsqueeze(1)
        out = torch.cat([self.conv_and_pool(out, conv) for conv in self.convs], 1)
        out = F.dropout(out, 0.5)  # check: functional-dropout-always-on
        out = self.fc(out)
        return F.softmax(out)  # check: softmax-dim-missing


def train(model, iterator, optimizer, criterion, device):
    epoch_loss = 0
    epoch_acc = 0
    model.train()
    for text, label in iterator:
        text, label = text.to(device), label.to(device)
        optimizer.zero_grad()
        predictions = model(text)
        loss = criterion(predictions, label)  # check: softmax-before-cross-entropy
        acc = (predictions.argmax(1) == label).float().mean()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        epoch_acc += acc.item()
    return epoch_loss / len(iterator), epoch_acc / len(iterator)


def evaluate(model, iterator, criterion, device):
    epoch_loss = 0
    correct = 0
    for text, label in iterator:
        text.to(device)  # check: tensor-move-discarded
        label = label.to(device)
        predictions = model(text)  # check: validation-records-gradients
        loss = criterion(predictions, label)  # check: softmax-before-cross-entropy (true, not planted)
        epoch_loss += loss
        correct += (predictions.argmax(1) == label).sum().item()
    return epoch_loss / len(iterator), correct / len(iterator.dataset)


def predict_topic(model, sentence, vocab, device):
    model.eval()
    tensor = torch.LongTensor([vocab.get(w, 1) for w in sentence.split()]).to(device)
    tensor.unsqueeze(0)  # check: tensor-result-discarded
    with torch.no_grad():
        return model(tensor).argmax(1).item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1234)
    args = parser.parse_args()
    set_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    vocab = {w.strip(): i for i, w in enumerate(open("vocab.txt", encoding="utf-8"))}
    train_iter = DataLoader(NewsDataset("train.tsv", vocab), batch_size=64, shuffle=True, num_workers=2)
    valid_iter = DataLoader(NewsDataset("dev.tsv", vocab), batch_size=64)
    model = TextCNN(len(vocab), 300, 10).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss().to(device)

    best_valid_loss = float("inf")
    for epoch in range(args.epochs):
        train_loss, train_acc = train(model, train_iter, optimizer, criterion, device)
        valid_loss, valid_acc = evaluate(model, valid_iter, criterion, device)
        if valid_loss < best_valid_loss:
            best_valid_loss = valid_loss
            torch.save(model.state_dict(), "textcnn.pt")
        print(f"Epoch {epoch + 1}: train {train_loss:.3f}/{train_acc:.3f} valid {valid_loss:.3f}/{valid_acc:.3f}")

    model.load_state_dict(torch.load("textcnn.pt"))  # check: map-location-missing (true, not planted)
    print(predict_topic(model, "stocks fall again", vocab, device))


if __name__ == "__main__":
    main()
