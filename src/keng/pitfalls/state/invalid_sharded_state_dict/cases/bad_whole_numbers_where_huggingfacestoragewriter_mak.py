# whole numbers, where `HuggingFaceStorageWriter` is to make one file of the pieces
import tempfile

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import HuggingFaceStorageWriter

state = {"weight": torch.ones(2, 2), "steps": torch.tensor(3)}
writer = HuggingFaceStorageWriter(
    tempfile.mkdtemp(),
    fqn_to_index_mapping=dict.fromkeys(state, 1),
    save_distributed=True,
    enable_consolidation=True,
)
dcp.save(state, storage_writer=writer)  # run: `keng ckpt convert`
