r"""The hop of a spectrogram is not what a vocoder makes of one frame.

A frame of a mel spectrogram stands for `hop_length` samples. A vocoder (HiFi-GAN, WaveRNN, MelGAN, VITS) makes samples of frames by layers that multiply their number, by
8, 8, 2 and 2 for instance: their product is one hop, 256. A sound of another rate is often given another hop, and the factors of the model stay. What the model makes is then
longer or shorter than the sound that it is compared to.

Cure: `math.prod(upsample_rates) == hop_length`, for a hop of 200 the factors 5, 5 and 8; a segment that the hop divides; spectrograms that are on the disk made anew
with the same hop.

Bad:

```python
import torch
from torch import nn

upsample = nn.ConvTranspose1d(80, 1, 200, stride=200)
mels = torch.zeros(2, 80, 5)
x = torch.zeros(2, 1, 5 * 256)
y = torch.cat([x, upsample(mels)], dim=1)  # seen: `1280` and 1000
```

Good:

```python
import torch
from torch import nn

hop_length = 200
upsample = nn.ConvTranspose1d(80, 1, hop_length, stride=hop_length)
mels = torch.zeros(2, 80, 5)
x = torch.zeros(2, 1, 5 * hop_length)
y = torch.cat([x, upsample(mels)], dim=1)
```

Message (torch 1.0, of WaveRNN; `hop`):

```text
    x = torch.cat([x.unsqueeze(-1), mels, a1[:,:,:-1]], dim=2)
RuntimeError: invalid argument 0: Sizes of tensors must match except in dimension 2. Got 1000 and 1280 in dimension 1 at /pytorch/aten/src/THC/generic/THCTensorMath.cu:83
```

Message (HiFi-GAN; `hop`):

```text
Traceback (most recent call last):
  File "train.py", line 148, in train
    loss_mel = F.l1_loss(y_mel, y_g_hat_mel) * 45
RuntimeError: The size of tensor a (32) must match the size of tensor b (29) at non-singleton dimension 2
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

VOCODER = re.compile(
    r"\bcat\([^\n]{0,60}(?:unsqueeze\(-1\), ?mels?\b|upsampl\w*\()|\by_(?:g_)?hat_mel\b"
)
"""Lines at which what a vocoder made meets the sound, or its spectrogram."""


@pitfall.explains(
    r"Sizes of tensors must match except in dimension [12]\.? (?:Got (?P<one>\d+) and (?P<other>\d+)|"
    r"Expected size (?P<size>\d+) but got size (?P<got>\d+))",
    r"The size of tensor a \((?P<one>\d+)\) must match the size of tensor b \((?P<other>\d+)\) at non-singleton dimension [12]\b",
    odds=0.95,
)
def other_number_of_samples(failure: Failure) -> Hits:
    groups = failure.groups
    one, other = (groups.get("one") or groups["size"]), (groups.get("other") or groups["got"])
    written = failure.line or f"{failure.message}\n{failure.around}\n{failure.told}"
    if not (one and other and VOCODER.search(written)):
        return
    small, large = sorted((int(one), int(other)))
    if small >= 16 and large / small > 1.02:  # a frame at the edge is another matter
        yield failure.hit(
            f"{one} and {other} steps of one sound meet: the hop of its spectrograms is not the product of the upsampling factors, or no divisor of the segment"
        )
