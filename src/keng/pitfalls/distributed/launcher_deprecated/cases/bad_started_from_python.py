# started from Python
import subprocess
import sys

launcher = [sys.executable, "-m", "torch.distributed.launch", "--help"]  # check: `torchrun`
done = subprocess.run(launcher, capture_output=True, text=True)

# proof
assert "torch.distributed.launch is deprecated" in done.stderr
