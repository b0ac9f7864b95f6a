r"""An extension cannot be built, as a compiler, a header or a library is missing or too old.

What is built on the spot (DeepSpeed's optimizers, detectron2, custom operators, the launchers of Triton) needs a C++
compiler, Python's headers, for CUDA an `nvcc` that knows the card, and the driver's library to link with. The first error
of the compiler counts; what Python says afterwards only tells that there was one. An extension that was not
built is missing as a `.so` when it is imported next, and so is one that was built elsewhere: `setup.py build_ext
--inplace` puts it beside its sources.

Cure: scroll up to the first `error:`; `apt install build-essential python3-dev`; under Windows the Build Tools and a prompt in
which `where cl` answers; a toolkit that knows the card, or `TORCH_CUDA_ARCH_LIST` with what both know; delete the
folder `~/.cache/torch_extensions` before the next try.

Bad:

```python
import torch
from torch.utils.cpp_extension import load_inline

module = load_inline("twice", "int twice(int n) { return 2 * n }", functions=["twice"])
```

Good:

```python
import torch


def twice(n):
    return 2 * n


print(twice(2))
```

Message (torch 1.5 to 2.13, Windows; `cl`):

```text
UserWarning: Error checking compiler version for cl: [WinError 2] The system cannot find the file specified
```

Message (torch 1.5 to 2.13, Windows):

```text
subprocess.CalledProcessError: Command '['where', 'cl']' returned non-zero exit status 1.
```

Message (torch 1.5 to 2.13; `python3-dev`):

```text
/tmp/tmp3x/main.c:5:10: fatal error: Python.h: No such file or directory
```

Message (torch 1.0 to 1.7, made on the spot; `fused was never built`):

```text
  File "/work/stylegan2/op/fused_act.py", line 6, in <module>
    fused = load('fused', sources=['op/fused_bias_act.cpp', 'op/fused_bias_act_kernel.cu'])
  File "/env/lib/python3.6/site-packages/torch/utils/cpp_extension.py", line 967, in _import_module_from_library
    file, path, description = imp.find_module(module_name, [path])
  File "/env/lib/python3.6/imp.py", line 297, in find_module
    raise ImportError(_ERR_MSG.format(name), name=name)
ImportError: No module named 'fused'
```

Message (StyleGAN2-ADA and 3; `upfirdn2d_plugin was never built`):

```text
ImportError: No module named 'upfirdn2d_plugin'
```

Message (StyleGAN2-ADA; `the build of bias_act_plugin failed`):

```text
Setting up PyTorch plugin "bias_act_plugin"... Failed!
```

Message (StyleGAN2-ADA, a warning; `the build of upfirdn2d failed`):

```text
UserWarning: Failed to build CUDA kernels for upfirdn2d. Falling back to slow reference implementation. Details:
```

Message (StyleGAN2-ADA and 3 on Windows; `finds no C++ compiler`):

```text
RuntimeError: Could not find MSVC/GCC/CLANG installation on this computer. Check _find_compiler_bindir() in "/work/torch_utils/custom_ops.py".
```

Message (torch-ngp; `_raymarching`):

```text
ModuleNotFoundError: No module named '_raymarching'
```

Message (torch 1.5 to 2.13, the build before had failed; `cpu_adam.so`):

```text
ImportError: /root/.cache/torch_extensions/py310_cu121/cpu_adam/cpu_adam.so: cannot open shared object file: No such file or directory
```

Message (DeepSpeed; `optimizer`):

```text
Exception ignored in: <function DeepSpeedCPUAdam.__del__ at 0x7f0a2c5e3d30>
Traceback (most recent call last):
  File "/env/lib/python3.10/site-packages/deepspeed/ops/adam/cpu_adam.py", line 102, in __del__
    self.ds_opt_adam.destroy_adam(self.opt_id)
AttributeError: 'DeepSpeedCPUAdam' object has no attribute 'ds_opt_adam'
```

Message (torch 1.5 to 2.13; `first`):

```text
RuntimeError: Error building extension 'cpu_adam'
```

Message (an extension of a repository; `another folder`):

```text
ModuleNotFoundError: No module named 'groundingdino._C'
```

Message (mmcv, pointnet2 and others; `mmcv._ext`):

```text
ModuleNotFoundError: No module named 'mmcv._ext'
```

Message (detectron2 from the folder of its source; `detectron2`):

```text
ImportError: cannot import name '_C' from 'detectron2' (/home/u/detectron2/detectron2/__init__.py)
```

Message (torch 1.5 to 2.13):

```text
subprocess.CalledProcessError: Command '['ninja', '-v', '-j', '2']' returned non-zero exit status 1.
```

Message (pip; `the build of flash-attn`):

```text
ERROR: Failed building wheel for flash-attn
```

Message (Gaussian splatting; `from its folder`):

```text
  File "/work/gaussian-splatting/gaussian_renderer/__init__.py", line 14, in <module>
    from diff_gaussian_rasterization import GaussianRasterizationSettings, GaussianRasterizer
ModuleNotFoundError: No module named 'diff_gaussian_rasterization'
```

Message (an extension that was not built):

```text
ModuleNotFoundError: No module named 'pointnet2_cuda'
```

Message (a build by setuptools):

```text
error: command '/usr/local/cuda/bin/nvcc' failed with exit code 1
```

Message (gsplat):

```text
ImportError: cannot import name 'csrc' from 'gsplat' (/env/lib/python3.11/site-packages/gsplat/__init__.py)
```

Message (mmcv and detectron2):

```text
RuntimeError: nms is not compiled with GPU support
```

Message (torch_scatter from the folder of its source; `run from another folder`):

```text
  File "/home/u/pytorch_scatter/torch_scatter/utils/ext.py", line 2, in <module>
    import torch_scatter.scatter_cpu
ModuleNotFoundError: No module named 'torch_scatter.scatter_cpu'
```

Message (spconv 2; `spconv-cu120`):

```text
RuntimeError: /io/build/temp.linux-x86_64-cpython-37/spconv/build/core_cc/src/csrc/sparse/all/SpconvOps/SpconvOps_get_indice_pairs.cc(65)
not implemented for CPU ONLY build.
```

Message (an extension that is not installed; `data.pyg.org`):

```text
ModuleNotFoundError: No module named 'torch_scatter'
```

Message (torch-scatter; `without CUDA`):

```text
RuntimeError: Not compiled with CUDA support
```

Message (MMCV; `without CUDA`):

```text
RuntimeError: nms_impl: implementation for device cuda:0 not found.
```

Message (PyTorch Geometric; `pyg-lib`):

```text
ImportError: 'NeighborSampler' requires either 'pyg-lib' or 'torch-sparse'
```

Message (pip; `the build of detectron2`):

```text
  Building wheel for detectron2 (setup.py) ... error
  error: subprocess-exited-with-error
```

Message (Windows; `cl.exe`):

```text
building 'torch_ops._C' extension
error: command 'C:\Program Files\Microsoft Visual Studio\VC\bin\HostX86\x64\cl.exe' failed with exit status 2
```

Message (torch 1.5 to 2.13, Linux; `c++`):

```text
subprocess.CalledProcessError: Command '['which', 'c++']' returned non-zero exit status 1.
```

Message (pip; `the build of flash_attn`):

```text
Collecting flash_attn
  Using cached flash_attn-2.8.3.tar.gz (8.4 MB)
  Installing build dependencies ... done
  Getting requirements to build wheel ... error
  error: subprocess-exited-with-error
```

Message (S2ANet; `nms_rotated_cuda`):

```text
ImportError: cannot import name 'nms_rotated_cuda' from 'mmdet.ops.nms_rotated' (/home/u/mmdet/ops/nms_rotated/__init__.py)
```

Message (an extension, Python up to 3.6; `beside its source`):

```text
ImportError: cannot import name 'deform_conv_cuda'
```

Message (an extension, Python 3.8 and later; `nms_cuda`):

```text
ImportError: cannot import name 'nms_cuda' from partially initialized module 'mmdet.ops.nms' (most likely due to a circular import) (/home/u/mmdet/ops/nms/__init__.py)
```

Message (maskrcnn-benchmark, Python up to 3.6; a compiled part):

```text
  File "/home/u/maskrcnn-benchmark/maskrcnn_benchmark/layers/nms.py", line 3, in <module>
    from maskrcnn_benchmark import _C
ImportError: cannot import name '_C'
```

Message (GroundingDINO, which goes on without; a compiled part):

```text
  File "/home/u/GroundingDINO/groundingdino/models/GroundingDINO/ms_deform_attn.py", line 53, in forward
    output = _C.ms_deform_attn_forward(
NameError: name '_C' is not defined
```

Message (pip, of an extension; `the build of bdist_wheel`):

```text
× python setup.py bdist_wheel did not run successfully.
│ exit code: 1
╰─> [98 lines of output]
    running build_ext
    /env/lib/python3.7/site-packages/torch/utils/cpp_extension.py:813: UserWarning: The detected CUDA version (11.8) has a minor version mismatch with the version that was used to compile PyTorch (11.6). Most likely this shouldn't be a problem.
    building 'diff_gaussian_rasterization._C' extension
```

Message (PyTorch Geometric 2; `torch-cluster`):

```text
ImportError: 'radius_graph' requires 'torch-cluster'
```

Message (fairseq from its sources; `fairseq`):

```text
ImportError: Please build Cython components with: `pip install --editable .` or `python setup.py build_ext --inplace`
```

Message (VITS; `monotonic_align`):

```text
ModuleNotFoundError: No module named 'monotonic_align.monotonic_align'
```

Message (an older detector; `model.utils.cython_bbox`):

```text
ModuleNotFoundError: No module named 'model.utils.cython_bbox'
```
"""

import re

from keng.explain.advice.extensions import not_built, without_cuda
from keng.explain.advice.programs import not_fetched
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables import libraries
from keng.tables.compiled_parts import LIBRARIES, PACKAGES, PARTS, PLUGINS

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a compiler")


@pitfall.explains(
    r"Error checking compiler version for (?P<what>\w[\w+-]*)",
    r"Command '\['(?:where|which)', '(?P<what>[\w+-]{1,40})'\]' returned non-zero",
    odds=0.93,
)
def compiler_missing(failure: Failure) -> Hits:
    what = failure.groups["what"]
    tools = "Visual Studio Build Tools, started from its prompt (x64 Native Tools)"
    cure = tools if what == "cl" else "apt install build-essential, or set CC and CXX"
    yield failure.hit(f"the compiler `{what}` is not on the path: {cure}")


pitfall.answers(
    {
        "fatal error: Python.h: No such file": "Python's headers are missing, for C code: apt install python3-dev",
        "Could not find MSVC/GCC/CLANG installation": "StyleGAN builds its operators on the spot, and finds no C++ compiler: Visual Studio Build Tools and its prompt, or build-essential",
        "build Cython components with": "fairseq runs from its sources, whose parts in Cython were never compiled: pip install -e . in its folder, with Cython and a C compiler",
        "No module named 'monotonic_align.": "the part in Cython was not compiled where it is looked for: cd monotonic_align, mkdir -p monotonic_align, python setup.py build_ext --inplace",
        "object has no attribute 'ds_opt_": "DeepSpeed's optimizer on the CPU has no extension, as that was not built or not loaded: the error above is the cause",
    },
    odds=0.85,
)


@pitfall.explains(
    r"/torch_extensions/\S{1,300}?(?P<file>[\w.-]+\.so): cannot open shared object file",
    r"No module named '(?P<file>\w{1,60})'",
    odds=0.95,
)
def never_built(failure: Failure) -> Hits:
    file, asks = failure.groups["file"], {frame.function for frame in failure.frames}
    if "_import_module_from_library" in asks or file.endswith(".so") or re.fullmatch(PLUGINS, file):
        again = "delete ~/.cache/torch_extensions and read the first error of the next build"
        yield failure.hit(f"{file} was never built, as the build had failed: {again}")


@pitfall.explains(
    r"Error building extension '(?P<name>[\w.-]+)'",
    r"(?:Setting up PyTorch plugin \"|Failed to build CUDA kernels for )(?P<name>\w+)(?:\"\.\.\. Failed|\. Falling back to slow)",
    r"Command '\['(?P<name>ninja)'.{0,80}\]' returned non-zero",
    r"command '\S{0,120}?(?P<name>nvcc)' failed with exit (?:status|code)",
    rf"Collecting {PACKAGES}[^×]{{0,600}}? (?:Getting requirements to build wheel|Preparing metadata \(\S{{1,30}}\)) \.\.\. error",
    r"setup\.py (?P<compiler>bdist_wheel|egg_info|build_ext|install|develop) did not run successfully",
    rf"(?:Failed building wheel for|Could not build wheels for|Failed to build) {PACKAGES}",
    rf"(?:Building wheel|Running setup\.py (?:install|develop)) for {PACKAGES}(?: \(\S{{1,30}}\))? ?\.\.\. error",
    r"command '[^']{0,160}?(?P<compiler>cl\.exe|link\.exe|gcc|g\+\+|c\+\+|clang(?:\+\+)?)' failed with exit (?:status|code)",
    odds=0.6,
)
def says_only_that(failure: Failure) -> Hits:
    compiler = failure.groups.get("compiler")
    if not_fetched(failure) or (compiler and not failure.beside_torch):
        return  # nothing was compiled, or any package in C
    says = f"the build of {compiler or failure.groups['name']} failed: the first `error:` above this line is the cause"
    yield failure.hit(says)


@pitfall.explains(
    r"No module named '(?P<what>(?!torch\.)[\w.]{1,80}\._(?:ext|C))'",
    r"cannot import name '_(?:C|ext)' from (?:partially initialized module )?'(?P<what>(?!torch')[\w.]{1,80})'",
    r"cannot import name '\w+' from '(?P<what>gsplat|simple_knn|diff_gaussian_rasterization|pointnet2\w*|mmcv\.ops)'",
    r"[Nn]ot (?:implemented for|compiled with) (?P<what>CPU ONLY build|GPU support|CUDA support)|'\w{2,60}' requires (?:either )?'(?P<pyg>pyg-lib|torch-(?:cluster|scatter|sparse|spline-conv))",
    r"_impl: implementation for device (?P<what>CUDA|cuda):\d+ not found",
    rf"[Nn]o module named '(?P<what>{LIBRARIES})(?:\.[\w.]+)?'",
    r"cannot import name '?(?P<what>\w{2,60}_(?:cuda|ext|cpp|gpu))'?(?: from (?:partially initialized module )?'\w|$)",
    rf"No module named '(?P<what>{PARTS})'",
    r"(?:cannot import name '?|name ')(?P<what>_C|_ext)'?(?: is not defined)?$",
    odds=0.9,
)
def compiled_part_missing(failure: Failure) -> Hits:
    what = failure.groups["what"] or failure.groups["pyg"]
    line = failure.frames[-1].text if failure.frames else ""
    setting = re.search(r"\b_C\.(?:[A-Z]|clone\()|dir\(_C\)|from torch import", line)  # of yacs
    if (what == "_C" and setting) or libraries.tells_of(failure.message):
        return
    cpu = what.split()[0] in ("CPU", "GPU", "CUDA", "cuda")
    says = without_cuda(failure) if cpu else not_built(failure, what)
    yield failure.hit(says, sure=bool(line) or what not in ("_C", "_ext"))
