# the versions of transformers and accelerate do not fit each other
# needs: import accelerate
from accelerate import Accelerator
from accelerate.utils import DataLoaderConfiguration

batches = DataLoaderConfiguration(dispatch_batches=False)
accelerator = Accelerator(cpu=True, dataloader_config=batches)
