"""What is compiled against PyTorch where it is installed or first used, as regular expressions."""

from __future__ import annotations

PACKAGES = (
    r"(?P<name>(?:[\w.]{0,30}[-_])?(?:py)?(?:torch|flash|apex|xformers|detectron2|mmcv|pointnet|mamba|causal|"
    r"deepspeed|natten|pyg|simple.knn|diff.gaussian|Minkowski)[\w.-]{0,40})"
)
"""As pip calls them."""

LIBRARIES = (
    r"torch_(?:scatter|sparse|cluster|spline_conv)|diff_gaussian_rasterization|simple_knn|tinycudann|nvdiffrast|"
    r"pytorch3d|MinkowskiEngine|spconv|mamba_ssm|causal_conv1d|detectron2|xformers|deepspeed|mmcv|natten|"
    r"fused_dense_lib"
)
"""As they are imported."""

PARTS = (
    r"MultiScaleDeformableAttention|_ext|_(?:raymarching|gridencoder|shencoder|freqencoder)|chamfer_\dD|"
    r"(?:[\w.]{1,60}\.)?(?:cython_bbox|(?:cpu|gpu)_nms|\w{3,20}_utils_fast)|"
    r"\w{2,60}_(?:cuda|gpu|cpp|ext|ops|kernels?)|\w{2,60}(?:_cuda|Cuda|CUDA)\w{0,30}"
)
"""As repositories call what they compile of their own."""

PLUGINS = r"(?:upfirdn2d|bias_act|filtered_lrelu|nvdiffrast)_plugin"
"""What StyleGAN and nvdiffrast compile where they are first used."""
