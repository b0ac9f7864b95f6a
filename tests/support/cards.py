"""What a test has for a mark that wants a GPU."""

import pytest
import torch

NEEDS_GPU = [
    pytest.mark.cuda,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here"),
]
