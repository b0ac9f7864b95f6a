# no active step
import torch

schedule = torch.profiler.schedule(wait=1, warmup=0, active=1)
with torch.profiler.profile(schedule=schedule) as prof:
    y = torch.ones(2) + 1
print(prof.key_averages())  # run: `step()`
