#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <THC/THC.h>  // check: extension-removed-api

template <typename T>
__global__ void pool_kernel(const int n, const T* in, const T* offset, T* out, int size) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    out[i] = in[i * size] + offset[i];
  }
}

at::Tensor pool_forward_cuda(const at::Tensor& input, const at::Tensor& offset, int size) {
  auto out = at::zeros({input.size(0), input.size(1), input.size(2) / size, input.size(3) / size}, input.options());
  const int n = out.numel();
  AT_DISPATCH_FLOATING_TYPES(input.type(), "pool_forward_cuda", [&] {  // check: extension-removed-api
    pool_kernel<scalar_t><<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        n, input.data<scalar_t>(), offset.data<scalar_t>(), out.data<scalar_t>(), size);  // check: extension-removed-api
  });
  THCudaCheck(cudaGetLastError());  // check: extension-removed-api
  return out;
}
