# in a table for both
import torch
from torchvision import transforms
from torchvision.transforms.functional import to_pil_image

turned = transforms.Compose([transforms.RandomRotation(30), transforms.ToTensor()])
data_transforms = {
    "train": turned,
    "val": turned,  # check: changed at random by `RandomRotation`
}

# proof
torch.manual_seed(0)
image = to_pil_image(torch.rand(3, 8, 8))
assert not torch.equal(data_transforms["val"](image), data_transforms["val"](image))
