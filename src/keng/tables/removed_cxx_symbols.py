"""Names and headers of PyTorch's C++ and CUDA that went or are outdated, read beside the headers of torch
2.13.0: what is not found in them is gone.

"= name" stands for another name of the same, which can be written in its place; words for what needs more.
"""

from __future__ import annotations

from typing import NamedTuple


class OldCxx(NamedTuple):
    gone: bool
    now: str

    @property
    def what(self) -> str:
        return "is gone from PyTorch" if self.gone else "is outdated"

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
    "THCState": "nothing: no state is handed around any more",
    "THCudaMalloc": "c10::cuda::CUDACachingAllocator::raw_alloc(bytes), or a tensor of torch::empty",
    "THCudaFree": "c10::cuda::CUDACachingAllocator::raw_delete(pointer)",
    "THCudaTensor": "at::Tensor",
    "THCudaTensor_data": "data_ptr<float>() of an at::Tensor",
    "THFloatTensor": "at::Tensor",
    "THCNumerics": "at::numeric_limits of ATen/cuda/NumericLimits.cuh",
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
    "THC/THCDeviceTensor.cuh": "at::PackedTensorAccessor32 of ATen/ATen.h",
    "TH/TH.h": "ATen/ATen.h, and tensors instead of TH's pointers",
}
TOLD = {
    **{name: OldCxx(True, now) for name, now in GONE.items()},
    **{name: OldCxx(False, now) for name, now in OUTDATED.items()},
}
