r"""A metric of images or boxes gets them in another form than it takes.

LPIPS takes float images (N, 3, H, W) from -1 to 1, or from 0 to 1 with `normalize=True`; FID, KID and the Inception score take bytes, or floats from 0 to 1 with
`normalize=True`; SSIM takes a batch dimension. Mean average precision takes a list with one dict for each image, `boxes`, `scores` and `labels` for predictions, without scores for
targets, all tensors of the same length.

Cure: `LearnedPerceptualImagePatchSimilarity(normalize=True)` for images from 0 to 1 and `x.clamp(0, 1)`; `FrechetInceptionDistance(normalize=True)`; `map.update(preds,
targets)` with what the detector gives for the whole batch.

Bad:

```python
import torch
from torchmetrics.functional.image import structural_similarity_index_measure

score = structural_similarity_index_measure(torch.rand(3, 32, 32), torch.rand(3, 32, 32))
```

Good:

```python
import torch
from torchmetrics.functional.image import structural_similarity_index_measure

score = structural_similarity_index_measure(torch.rand(1, 3, 32, 32), torch.rand(1, 3, 32, 32))
```

Message (torchmetrics 1; `-2.1`):

```text
ValueError: Expected both input arguments to be normalized tensors with shape [N, 3, H, W]. Got input with shape torch.Size([4, 3, 64, 64]) and torch.Size([4, 3, 64, 64]) and values in range [tensor(-2.1179), tensor(2.6400)] and [tensor(0.), tensor(1.)] when all values are expected to be in the [-1, 1] range.
```

Message (torchmetrics 1; `4, 1, 64, 64`):

```text
ValueError: Expected both input arguments to be normalized tensors with shape [N, 3, H, W]. Got input with shape torch.Size([4, 1, 64, 64]) and torch.Size([4, 1, 64, 64]) and values in range [tensor(0.), tensor(1.)] and [tensor(0.), tensor(1.)] when all values are expected to be in the [0, 1] range.
```

Message (torchmetrics 0.11 to 1; `uint8`):

```text
ValueError: Expecting image as torch.Tensor with dtype=torch.uint8
```

Message (torchmetrics 1; `scores`):

```text
ValueError: Expected all dicts in `preds` to contain the `scores` key
```

Message (torchmetrics 1; `one dict`):

```text
ValueError: Expected argument `preds` to be of type Sequence, but got {'boxes': tensor([[0., 0., 1., 1.]])}
```

Message (torchmetrics 1; `3`):

```text
ValueError: Input 'boxes' and labels of sample 2 in targets have a different length (expected 3 labels, got 1)
```

Message (torchmetrics 1; `160`):

```text
ValueError: For a given number of `betas` parameters 5 and kernel size 11, the image height must be larger than 160.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchmetrics")


@pitfall.explains(
    r"to be normalized tensors with shape \[N, 3, H, W\]\. Got input with shape torch\.Size\(\[(?P<first>[\d, ]*)\]\) and torch\.Size\(\[(?P<second>[\d, ]*)\]\)"
    r" and values in range (?P<values>\[.{1,60}?\] and \[.{1,60}?\]) when all values are expected to be in the (?P<span>\[-?\d, 1\])",
    odds=0.96,
)
def not_normalized(failure: Failure) -> Hits:
    first, second, span = (failure.groups[key] for key in ("first", "second", "span"))
    odd = [
        shape for shape in (first, second) if shape.count(",") != 3 or shape.split(", ")[1] != "3"
    ]
    says = f"values from {failure.groups['values']} where {span} is taken: bring both to it, or clamp; normalize=True is for images from 0 to 1"
    if odd:
        says = f"images of shape ({odd[0]}) where (N, 3, H, W) is taken: x.expand(-1, 3, -1, -1) for one channel, unsqueeze(0) for one image"
    yield failure.hit(says)


@pitfall.explains(
    r"Expected all dicts in `(?P<where>preds|target)` to contain the `(?P<key>boxes|masks|labels|scores)` key",
    odds=0.96,
)
def part_missing(failure: Failure) -> Hits:
    where, key = failure.groups["where"], failure.groups["key"]
    cure = "targets hold boxes (or masks) and labels, predictions scores as well"
    yield failure.hit(f"a dict among the {where} has no `{key}`: {cure}; are the two swapped?")


@pitfall.explains(
    r"Input '(?P<key>boxes|masks)'(?:,| and) labels (?:and scores )?of sample (?P<sample>\d+) in (?P<where>targets|predictions) have a different length "
    r"\(expected (?P<boxes>\d+) labels(?: and scores)?, got (?P<labels>\d+)",
    odds=0.96,
)
def of_different_length(failure: Failure) -> Hits:
    key, sample, where, boxes, labels = (
        failure.groups[each] for each in ("key", "sample", "where", "boxes", "labels")
    )
    yield failure.hit(
        f"image {sample} of the {where} has {boxes} {key} and {labels} labels: one filter for all of them, boxes[keep], labels[keep], scores[keep]"
    )


@pitfall.explains(
    r"For a given number of `betas` parameters \d+ and kernel size \d+, the image (?P<side>height|width) must be larger than (?P<least>\d+)",
    odds=0.96,
)
def too_small_to_halve(failure: Failure) -> Hits:
    side, least = failure.groups["side"], failure.groups["least"]
    yield failure.hit(
        f"the image is halved for each of the betas, and its {side} is not above {least}: larger images, fewer betas or a smaller kernel_size"
    )


FORMS = {
    "Expecting image as torch.Tensor with dtype=torch.uint8": "floats where bytes are taken: normalize=True for images from 0 to 1, or (x * 255).to(torch.uint8)",
    "Expected argument `preds` to be of type Sequence": "the predictions are to be a list with one dict for each image: [one] for one image",
    "Expected argument `target` to be of type Sequence": "the targets are to be a list with one dict for each image: [one] for one image",
    "and `target` to have BxCxHxW or BxCxDxHxW shape": "images come in a batch, (N, C, H, W): unsqueeze(0) for one image",
}
pitfall.answers(FORMS, odds=0.95)
