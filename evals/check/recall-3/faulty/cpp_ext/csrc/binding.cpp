#include <torch/extension.h>

#include <vector>

at::Tensor pool_forward_cuda(const at::Tensor& input, const at::Tensor& offset, int size);
std::vector<at::Tensor> pool_backward_cuda(const at::Tensor& grad, const at::Tensor& input, const at::Tensor& offset);

at::Tensor pool_forward(const at::Tensor& input, const at::Tensor& offset, int size) {
  AT_CHECK(input.dim() == 4, "input must have 4 dimensions");  // check: extension-removed-api
  TORCH_CHECK(offset.is_contiguous(), "offset must be contiguous");
  if (input.is_cuda()) {
    return pool_forward_cuda(input, offset, size);
  }
  AT_ERROR("not implemented on the CPU");
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &pool_forward, "AT_CHECK used to stand here");
  m.def("backward", &pool_backward_cuda);
}
