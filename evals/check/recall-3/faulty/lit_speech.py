import lightning as L
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchaudio
from torch.utils.data import DataLoader
from torchmetrics import Accuracy


class Frontend(nn.Module):
    def __init__(self, n_mels=64):
        nn.Module.__init__(self)
        self.mel = torchaudio.transforms.MelSpectrogram(16000, n_mels=n_mels)
        self.window = torch.hann_window(400)  # check: module-not-registered

    def forward(self, wav):
        return torch.log(self.mel(wav) + 1e-6)


class SpeechModule(L.LightningModule):
    def __init__(self, classes=35, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.frontend = Frontend()
        self.convs = [nn.Conv1d(64, 64, 3, padding=d, dilation=d) for d in (1, 2, 4)]  # check: module-not-registered
        self.rnn = nn.GRU(64, 128, batch_first=True)
        self.fc = nn.Linear(128, classes)
        self.accuracy = Accuracy("multiclass", num_classes=classes)
        self.outputs = []

    def forward(self, wav):
        x = self.frontend(wav).squeeze(1)
        for conv in self.convs:
            x = F.relu(conv(x)) + x
        x, _ = self.rnn(x.transpose(1, 2))
        x = F.dropout(x[:, -1], 0.3)  # check: functional-dropout-always-on
        return F.softmax(self.fc(x), dim=-1)

    def training_step(self, batch, batch_idx):
        wav, y = batch
        loss = F.cross_entropy(self(wav), y)  # check: softmax-before-cross-entropy
        self.outputs.append(loss)  # check: loss-keeps-graph
        self.log("train_loss", loss)
        return loss

    def on_train_epoch_end(self):
        self.log("epoch_loss", torch.stack(self.outputs).mean())
        self.outputs.clear()

    def validation_step(self, batch, batch_idx):
        wav, y = batch
        self.accuracy(self(wav), y)
        self.log("val_acc", self.accuracy)

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        return [opt], [torch.optim.lr_scheduler.CosineAnnealingLR(opt, 50)]


class Commands(L.LightningDataModule):
    def __init__(self, root="data", batch_size=64):
        super().__init__()
        self.root, self.batch_size = root, batch_size

    def setup(self, stage=None):
        self.train = torchaudio.datasets.SPEECHCOMMANDS(self.root, subset="training")
        self.valid = torchaudio.datasets.SPEECHCOMMANDS(self.root, subset="validation")

    def train_dataloader(self):
        return DataLoader(self.train, self.batch_size, shuffle=True, num_workers=4)

    def val_dataloader(self):
        return DataLoader(self.valid, self.batch_size, num_workers=4)


if __name__ == "__main__":
    L.seed_everything(1)
    L.Trainer(max_epochs=50, accelerator="auto").fit(SpeechModule(), Commands())
