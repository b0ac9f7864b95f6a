# A build of extensions finds no headers, no card or no memory
# needs: a compiler
import os

os.environ["MAX_JOBS"] = "2"
os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0 8.6"
