import logging

import torch
import torch.nn as nn
import torchaudio
from ignite.contrib.handlers import ProgressBar
from ignite.engine import Engine, Events
from ignite.handlers import ModelCheckpoint
from ignite.metrics import Accuracy, Loss
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

LABELS = ["yes", "no", "up", "down"]
device = "cuda" if torch.cuda.is_available() else "cpu"


class KeywordNet(nn.Module):
    def __init__(self, n_mels=64, hidden=128, classes=4):
        super().__init__()
        self.mel = torchaudio.transforms.MelSpectrogram(16000, n_mels=n_mels)
        self.rnn = nn.GRU(n_mels, hidden, bidirectional=True, dropout=0.1, num_layers=2)
        self.out = nn.Linear(2 * hidden, classes)

    def forward(self, wave):
        mel = torch.log(self.mel(wave))  # check: unstable-log (silence and padding give log 0)
        x = mel.transpose(1, 2)  # batch, time, features
        x, _ = self.rnn(x)  # check: rnn-batch-first
        return nn.functional.log_softmax(self.out(x.mean(1)))  # check: softmax-dim-missing


def collate(rows):
    waves = pad_sequence([wave.squeeze(0) for wave, *_ in rows], batch_first=True)
    return waves, torch.tensor([LABELS.index(label) for _, _, label, *_ in rows])


def loaders(batch_size):
    train = torchaudio.datasets.SPEECHCOMMANDS("data", subset="training", download=True)
    val = torchaudio.datasets.SPEECHCOMMANDS("data", subset="validation", download=True)
    kept = [[row for row in split if row[2] in LABELS] for split in (train, val)]
    return (
        DataLoader(kept[0], batch_size=batch_size, shuffle=True, collate_fn=collate),
        DataLoader(kept[1], batch_size=batch_size, collate_fn=collate),
    )


def make_trainer(model, optimizer, criterion, clip=5.0):
    scaler = torch.cuda.amp.GradScaler()  # check: api-deprecated

    def update(engine, batch):
        model.train()
        x, y = (t.to(device) for t in batch)
        with torch.cuda.amp.autocast():  # check: api-deprecated
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()  # check: zero-grad-missing
        nn.utils.clip_grad_norm_(model.parameters(), clip)  # check: amp-order
        scaler.step(optimizer)
        scaler.update()
        return loss

    return Engine(update)


def make_evaluator(model, criterion):
    def step(engine, batch):
        x, y = (t.to(device) for t in batch)
        return model(x), y  # check: eval-mode-missing; validation-records-gradients

    evaluator = Engine(step)
    Accuracy().attach(evaluator, "accuracy")
    Loss(criterion).attach(evaluator, "loss")
    return evaluator


def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(1)
    model = KeywordNet().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.95)
    criterion = nn.NLLLoss()
    train_loader, val_loader = loaders(64)
    trainer = make_trainer(model, optimizer, criterion)
    evaluator = make_evaluator(model, criterion)
    losses = []
    ProgressBar().attach(trainer)

    @trainer.on(Events.ITERATION_COMPLETED)
    def remember(engine):
        losses.append(engine.state.output)  # check: loss-keeps-graph

    @trainer.on(Events.EPOCH_COMPLETED)
    def validate(engine):
        scheduler.step()
        evaluator.run(val_loader)
        logging.info("%d %s %s", engine.state.epoch, sum(losses) / len(losses), evaluator.state.metrics)

    best = ModelCheckpoint("runs", "best", score_name="accuracy", n_saved=1)
    evaluator.add_event_handler(Events.COMPLETED, best, {"model": model})
    trainer.run(train_loader, max_epochs=20)


if __name__ == "__main__":
    main()
