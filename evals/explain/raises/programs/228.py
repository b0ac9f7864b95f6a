# argument: "missing/folder/tags.csv"
from lightning.pytorch.core.saving import save_hparams_to_tags_csv

save_hparams_to_tags_csv("missing/folder/tags.csv", {"lr": 0.1})
