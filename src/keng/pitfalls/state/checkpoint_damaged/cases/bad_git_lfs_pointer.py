# a Git LFS pointer
import io

import torch

pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
state = torch.load(io.BytesIO(pointer))  # run: 70 bytes of text
