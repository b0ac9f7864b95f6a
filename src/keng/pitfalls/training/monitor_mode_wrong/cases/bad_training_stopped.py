# a training is stopped
from pytorch_lightning.callbacks import EarlyStopping

stop = EarlyStopping("val_f1", patience=3)  # check: after three better rounds

# proof
assert stop.mode == "min"
