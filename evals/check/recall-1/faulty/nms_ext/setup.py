from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name='nms_ext',
    ext_modules=[
        CUDAExtension(
            'nms_ext', ['nms.cu'],
            extra_compile_args={'cxx': ['-O3', '-std=c++14'], 'nvcc': ['-O3']},  # check: extension-cxx-standard
        ),
    ],
    cmdclass={'build_ext': BuildExtension},
)
