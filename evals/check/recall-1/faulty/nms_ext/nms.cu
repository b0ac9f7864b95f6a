#include <torch/extension.h>
#include <THC/THC.h>  // check: extension-removed-api
#include <vector>

#define CHECK_CUDA(x) AT_CHECK(x.type().is_cuda(), #x " must be on the GPU")  // check: extension-removed-api

// kept: THCudaMalloc was used here once
__global__ void area(const float* boxes, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float* b = boxes + 4 * i;
    out[i] = (b[2] - b[0]) * (b[3] - b[1]);
  }
}

at::Tensor areas(at::Tensor boxes) {
  CHECK_CUDA(boxes);
  auto out = at::empty({boxes.size(0)}, boxes.options());
  int n = boxes.size(0);
  area<<<(n + 255) / 256, 256>>>(boxes.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("areas", &areas); }
