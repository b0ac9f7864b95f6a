# the versions of transformers and accelerate do not fit each other
# needs: import accelerate
from accelerate import Accelerator

accelerator = Accelerator(cpu=True, dispatch_batches=False)
