# two keys that flatten to one
import tempfile

import torch
import torch.distributed.checkpoint as dcp

state = {"model": {"weight": torch.ones(2)}, "model.weight": torch.ones(2)}
dcp.save(state, checkpoint_id=tempfile.mkdtemp())  # run: `model.weight`
