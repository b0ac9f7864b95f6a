# argument: "forward"
from lightning.pytorch.profilers import SimpleProfiler

profiler = SimpleProfiler()
profiler.start("backward")
profiler.stop("forward")
