"""In which words programs and libraries tell that they want a card where there is none."""

from __future__ import annotations

WANT_A_CARD = (
    r"Tried to instantiate dummy base class (?P<what>CUDAGraph|Event|Stream)",
    r"torch\.cuda\.(?P<what>Stream) requires CUDA support",
    r"Cannot (?:get|initialize) (?P<what>CUDA\w*(?: generator)?) without ATen_cuda library",
    r"(?P<what>NVTX) functions not installed|"
    r"(?:CUDA unavailable, invalid|Invalid CUDA) '?(?P<device>device[ =][\w,:]{1,20})'? requested",
    r"(?:^|`|: |supported |API |torch\.)(?P<what>(?:CUDA|GPU)Accelerator|gpu backend|cuda|"
    r"cuda\.is_available\(\)|cuda\.\w{1,20}Tensor|CUDA\w{2,10}Type)`? "
    r"(?:can not run on your system|found!|is not enabled|"
    r"not available|should be True but is False)",
    r"no pinned memory allocator is available|provide pin_memory allocator|"
    r"GPUs requested but none are available|no visible CUDA devices on this machine",
    r"Cannot access (?P<what>accelerator device) when none is available",
)
"""`what` or the `device` is what they name."""
