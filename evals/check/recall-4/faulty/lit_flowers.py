import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchmetrics
from torch.utils.data import DataLoader, random_split
from torchvision import datasets, models, transforms


class FlowerData(pl.LightningDataModule):
    def __init__(self, root="data", batch_size=32):
        super().__init__()
        self.root, self.batch_size = root, batch_size
        self.tf = transforms.Compose([transforms.Resize((224, 224)), transforms.ToTensor()])

    def setup(self, stage=None):
        full = datasets.Flowers102(self.root, split="train", download=True, transform=self.tf)
        self.train_set, self.val_set = random_split(full, [len(full) - 200, 200])

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=self.batch_size, shuffle=True, num_workers=4)

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=self.batch_size, num_workers=4)


class FlowerClassifier(pl.LightningModule):
    def __init__(self, num_classes=102, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        backbone = models.resnet50(pretrained=True)  # check: pretrained-flag
        self.feature_extractor = nn.Sequential(*list(backbone.children())[:-1])
        for p in self.feature_extractor.parameters():
            p.requires_grad = False
        self.heads = {"species": nn.Linear(2048, num_classes), "color": nn.Linear(2048, 8)}  # check: module-not-registered
        self.acc = torchmetrics.Accuracy(task="multiclass", num_classes=num_classes)
        self.val_outputs = []
        self.train_losses = []

    def forward(self, x):
        feats = self.feature_extractor(x).flatten(1)  # check: batchnorm-updates-in-forward
        feats = F.dropout(feats, 0.3)  # check: functional-dropout-always-on
        return F.softmax(self.heads["species"](feats), dim=1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        y_hat = self(x)
        loss = F.cross_entropy(y_hat, y)  # check: softmax-before-cross-entropy
        self.train_losses.append(loss)  # check: loss-keeps-graph
        self.log("train_loss", loss)
        return loss

    def on_train_epoch_end(self):
        self.log("epoch_loss", torch.stack(self.train_losses).mean())

    def validation_step(self, batch, batch_idx):
        x, y = batch
        y_hat = self(x)
        self.val_outputs.append(F.cross_entropy(y_hat, y))  # check: softmax-before-cross-entropy (true, not planted)
        self.acc(y_hat, y)
        self.log("val_acc", self.acc)

    def on_validation_epoch_end(self):
        self.log("val_loss", torch.stack(self.val_outputs).mean())
        self.val_outputs.clear()

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=3, verbose=True)  # check: keyword-argument-unknown
        return {"optimizer": optimizer, "lr_scheduler": scheduler, "monitor": "val_loss"}


if __name__ == "__main__":
    model = FlowerClassifier()
    trainer = pl.Trainer(max_epochs=10, accelerator="auto")
    trainer.fit(model, FlowerData())
    img, label = datasets.Flowers102("data", split="test", transform=transforms.ToTensor())[0]
    pred = model(img.unsqueeze(0)).argmax(1)  # check: validation-records-gradients; eval-mode-missing
    print(pred, label)
