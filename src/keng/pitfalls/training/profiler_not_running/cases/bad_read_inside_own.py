# read inside of its own `with`
import tempfile

import torch

with torch.autograd.profiler.profile() as profile:
    torch.ones(3).exp()
    profile.export_chrome_trace(f"{tempfile.gettempdir()}/trace.json")  # run: `with`
