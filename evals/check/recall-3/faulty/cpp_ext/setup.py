from setuptools import find_packages, setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="deform_pool",
    version="0.3",
    packages=find_packages(),
    ext_modules=[
        CUDAExtension(
            "deform_pool._C",
            ["csrc/binding.cpp", "csrc/pool_cuda.cu"],
            extra_compile_args={"cxx": ["-O3", "-std=c++11"], "nvcc": ["-O3"]},  # check: extension-cxx-standard
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
