"""What a file, a trouble and a verdict are called: for the type checker, which alone imports this."""

from typing import Literal

Format = Literal[
    "zip",  # torch.save since 1.6
    "legacy",  # torch.save from 0.1.10 to 1.5
    "tar",  # torch.save of 2016
    "pickle",  # a pickle without torch around it
    "torchscript",
    "export",
    "safetensors",
    "npz",
    "npy",
    "sharded",  # files named by an index
    "dcp",  # torch.distributed.checkpoint
    "zero",  # DeepSpeed
    "gguf",
    "onnx",
    "keras",  # an archive of Keras 3
    "hdf5",
    "nemo",
    "mar",  # of TorchServe
    "package",  # of torch.package
    "unknown",
]
Kind = Literal["broken", "trick", "note"]
Word = Literal["KNOWN", "UNKNOWN", "DANGEROUS", "BROKEN"]
