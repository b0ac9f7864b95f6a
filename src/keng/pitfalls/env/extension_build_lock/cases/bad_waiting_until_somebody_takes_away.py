# waiting for it, until somebody takes it away
import os
from threading import Timer

from torch.utils.file_baton import FileBaton

open("lock", "w").close()
baton = FileBaton("lock")
Timer(0.5, os.remove, ["lock"]).start()
if not baton.try_acquire():
    baton.wait()  # run: no process has it open
