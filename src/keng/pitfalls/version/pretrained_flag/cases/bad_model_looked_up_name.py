# a model that is looked up by its name
import warnings

from torchvision import models

name = "resnet18"
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    net = models.__dict__[name](pretrained=False)  # check: `weights`
    net = getattr(models, name)(pretrained=False)  # check: `weights`

# proof
assert "pretrained" in str(said[0].message)
