"""What several surfaces of wrong-checkpoint-reader share."""

from __future__ import annotations

PICKLED = "the file is a pickle, and torch.save wrote none of it"


READ = "pickle.load reads it if its writer is trusted, and `keng ckpt convert` makes a file of it that torch.load takes"
