# a checkpoint callback keeps the model of the lowest accuracy
from pytorch_lightning.callbacks import ModelCheckpoint

keep = ModelCheckpoint(monitor="val_acc", save_top_k=1)  # check: of the lowest accuracy

# proof
assert keep.mode == "min"
