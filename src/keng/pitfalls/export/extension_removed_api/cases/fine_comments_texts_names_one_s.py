# in comments, texts and names of one's own; for both
from torch.utils.cpp_extension import load_inline

source = r'''
// AT_CHECK(x) was the name once; /* THCState */
#include <torch/extension.h>
#include <vector>
/* #include <THC/THC.h> */
#ifndef AT_CHECK
#define AT_CHECK TORCH_CHECK
#endif
static const char *text = "AT_CHECK(1)", *raw = R"x(THCState " )x";
std::vector<float> v;
auto p = v.data();
auto q = x.type();
AT_CHECK(p, "defined above");
'''


def build():
    return load_inline("empty", cpp_sources=[source])
