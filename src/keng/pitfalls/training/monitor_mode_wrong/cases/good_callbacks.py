# callbacks with the mode of their metric
from pytorch_lightning.callbacks import EarlyStopping, ModelCheckpoint

keep = ModelCheckpoint(monitor="val_acc", mode="max", save_top_k=1)
stop = EarlyStopping("val_loss", patience=3)
