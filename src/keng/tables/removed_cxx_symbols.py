"""Names and headers of PyTorch's C++ and CUDA that went or are outdated, read with the headers of torch
2.13.0: what is not found in them is gone.

"= name" is another name of the same, which can be written in its place; without "= ", what replaces it is
called in another way; "" where nothing replaces it.
"""

from __future__ import annotations

from typing import NamedTuple


class OldCxx(NamedTuple):
    gone: bool
    now: str

    @property
    def new(self) -> str:
        return self.now.removeprefix("= ")

    @property
    def written(self) -> str:
        """What can be written in its place, or nothing."""
        return self.new if self.now.startswith("= ") else ""


GONE = {
    "AT_CHECK": "= TORCH_CHECK",
    "THCudaCheck": "= C10_CUDA_CHECK",
    "THCCeilDiv": "= at::ceil_div",
    "THCState_getCurrentStream": "at::cuda::getCurrentCUDAStream()",
    "THCState": "",
    "THCudaMalloc": "c10::cuda::CUDACachingAllocator::raw_alloc(bytes) / torch::empty(...)",
    "THCudaFree": "c10::cuda::CUDACachingAllocator::raw_delete(pointer)",
    "THCudaTensor": "at::Tensor",
    "THCudaTensor_data": "at::Tensor::data_ptr<float>()",
    "THFloatTensor": "at::Tensor",
    "THCNumerics": "at::numeric_limits (ATen/cuda/NumericLimits.cuh)",
}
OUTDATED = {
    "AT_ASSERT": "= TORCH_INTERNAL_ASSERT",
    "AT_ASSERTM": "= TORCH_CHECK",
}
"""Still there, with a warning of the compiler."""
HEADERS = {
    "THC/THC.h": "= ATen/cuda/CUDAContext.h",
    "THC/THCGeneral.h": "= ATen/cuda/CUDAContext.h",
    "THC/THCAtomics.cuh": "= ATen/cuda/Atomic.cuh",
    "THC/THCDeviceUtils.cuh": "= ATen/cuda/DeviceUtils.cuh",
    "THC/THCNumerics.cuh": "= ATen/cuda/NumericLimits.cuh",
    "THC/THCCachingAllocator.h": "= c10/cuda/CUDACachingAllocator.h",
    "THC/THCDeviceTensor.cuh": "at::PackedTensorAccessor32 (ATen/ATen.h)",
    "TH/TH.h": "ATen/ATen.h",
}
TOLD = {
    **{name: OldCxx(True, now) for name, now in GONE.items()},
    **{name: OldCxx(False, now) for name, now in OUTDATED.items()},
}
