r"""Images are changed at random where a model is evaluated.

Crops, flips and changes of colour are for training: they show each image in many ways. In validation and tests they make each
pass over the data another one, so that two epochs or two models differ by luck, and mostly by being harder they give a worse
number than the model deserves. It comes about by one `transform` for both data sets, or by splitting one that augments.

Cure: a second Compose without them, `Resize` and `CenterCrop` in their place; two data sets over the same files, and
`Subset` of each, where the split is made by hand.

Bad:

```python
import torch
from torch.utils.data import Dataset
from torchvision import transforms
from torchvision.transforms.functional import to_pil_image


class Pictures(Dataset):
    def __init__(self, images, transform):
        self.images, self.transform = images, transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.transform(self.images[index])


torch.manual_seed(0)
images = [to_pil_image(torch.rand(3, 8, 8)) for _ in range(8)]
train_images, val_images = images[:4], images[4:]
transform = transforms.Compose([transforms.RandomCrop(4), transforms.ToTensor()])
train_set = Pictures(train_images, transform=transform)
val_set = Pictures(val_images, transform=transform)  # here: changed at random by `RandomCrop`
```

Proof:

```python
passes = [torch.stack([val_set[i] for i in range(4)]) for _ in range(2)]
assert not torch.equal(*passes)
```

Bad (a part of what augments):

```python
import torch
from torch.utils.data import random_split
from torchvision import datasets
from torchvision.transforms import v2

flips = v2.Compose([v2.RandomHorizontalFlip(), v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])
torch.manual_seed(0)
whole = datasets.FakeData(8, (3, 8, 8), transform=flips)  # here: `RandomHorizontalFlip`
train_set, val_set = random_split(whole, [4, 4])
```

Proof:

```python
passes = [torch.stack([val_set[i][0] for i in range(4)]) for _ in range(2)]
assert not torch.equal(*passes)
```

Bad (in a table for both):

```python
import torch
from torchvision import transforms
from torchvision.transforms.functional import to_pil_image

turned = transforms.Compose([transforms.RandomRotation(30), transforms.ToTensor()])
data_transforms = {
    "train": turned,
    "val": turned,  # here: changed at random by `RandomRotation`
}
```

Proof:

```python
torch.manual_seed(0)
image = to_pil_image(torch.rand(3, 8, 8))
assert not torch.equal(data_transforms["val"](image), data_transforms["val"](image))
```

Bad (one transform for the folders of both):

```python
import os

from torchvision import datasets, transforms


def sets(root):
    transform = transforms.Compose([transforms.RandomResizedCrop(8), transforms.ToTensor()])
    train_set = datasets.ImageFolder(os.path.join(root, "train"), transform)
    val_set = datasets.ImageFolder(os.path.join(root, "val"), transform)  # here: at random
    return train_set, val_set
```

Proof:

```python
import tempfile

import torch
from torchvision.transforms.functional import to_pil_image

torch.manual_seed(0)
with tempfile.TemporaryDirectory() as root:
    for part in ("train", "val"):
        os.makedirs(os.path.join(root, part, "cat"))
        to_pil_image(torch.rand(3, 32, 32)).save(os.path.join(root, part, "cat", "1.png"))
    val_set = sets(root)[1]
    assert not torch.equal(val_set[0][0], val_set[0][0])
```

Good:

```python
from torchvision import datasets, transforms

train_transform = transforms.Compose([transforms.RandomCrop(4), transforms.ToTensor()])
test_transform = transforms.Compose([transforms.CenterCrop(4), transforms.ToTensor()])
train_set = datasets.FakeData(8, (3, 8, 8), transform=train_transform)
test_set = datasets.FakeData(8, (3, 8, 8), transform=test_transform, random_offset=8)
```

Fine (in training; a data set of its own for the part; parts for training alone):

```python
import torch
from torch.utils.data import Subset, random_split
from torchvision import datasets, transforms

augment = transforms.Compose([transforms.RandomCrop(4), transforms.ToTensor()])
plain = transforms.Compose([transforms.CenterCrop(4), transforms.ToTensor()])
torch.manual_seed(0)
train_set = datasets.FakeData(8, (3, 8, 8), transform=augment)
val_set = datasets.FakeData(8, (3, 8, 8), transform=plain)
order = torch.randperm(8).tolist()
train_part, val_part = Subset(train_set, order[:4]), Subset(val_set, order[4:])
labelled, unlabelled = random_split(train_set, [4, 4])
both, val_half = random_split(train_set, [4, 4])
val_half = Subset(val_set, val_half.indices)
data_transforms = {"train": augment, "val": plain}
kinds = {"test": augment, "demo": plain}
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import torchvision")


@pitfall.finds
def changed_at_random(code: Code) -> Hits:
    for place, name in code.augmented_evaluations():
        says = f"images to evaluate on are changed at random by `{name}`"
        yield code.hit(place, says)
