# another size
import tempfile

import torch
import torch.distributed.checkpoint as dcp

folder = tempfile.mkdtemp()
dcp.save({"weight": torch.ones(2)}, checkpoint_id=folder)
dcp.load({"weight": torch.zeros(3)}, checkpoint_id=folder)  # run: `[2]`
