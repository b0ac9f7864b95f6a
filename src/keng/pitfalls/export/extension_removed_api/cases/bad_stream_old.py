# the stream of old
from torch.utils.cpp_extension import load_inline

kernel = '''
extern THCState *state;  // # check: no state is handed around

void launch(float *x, int n) {
  cudaStream_t stream = THCState_getCurrentStream(state);  // # check: `getCurrentCUDAStream`
  double_kernel<<<1, n, 0, stream>>>(x);
  THCudaCheck(cudaGetLastError());  // # check: `C10_CUDA_CHECK`
}
'''


def build():
    return load_inline("launch", cpp_sources="", cuda_sources=[kernel])

# proof
from pathlib import Path

import torch

headers = Path(torch.__file__).parent / "include" / "ATen"
assert "THCState" in kernel
assert not any(b"getCurrentStream(THC" in h.read_bytes() for h in headers.rglob("*.h"))
