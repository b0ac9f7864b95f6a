# argument: model_type="affine"
from kornia.geometry.transform import ImageRegistrator

registrator = ImageRegistrator(model_type="affine")
