r"""`stft` or `istft` is not told that spectra are complex.

Since 1.8 `torch.stft` wants `return_complex` said for real inputs, and since 2.0 `istft` takes complex spectra only. Older code, and
vocoders above all, went on with a last dimension of two, real and imaginary part, or with the spectrum of librosa.

Cure: `torch.stft(..., return_complex=True)` and `.abs()` for the magnitude; `torch.view_as_real` where the two parts are wanted,
`torch.view_as_complex` before `istft`.

Bad:

```python
import torch

window = torch.hann_window(64)
spectrum = torch.stft(torch.randn(400), 64, window=window)  # seen: `return_complex=True`
```

Bad (the way back):

```python
import torch

window = torch.hann_window(64)
spectrum = torch.view_as_real(torch.stft(torch.randn(400), 64, window=window, return_complex=True))
wave = torch.istft(spectrum, 64, window=window)  # seen: `view_as_complex`
```

Good:

```python
import torch

window = torch.hann_window(64)
spectrum = torch.stft(torch.randn(400), 64, window=window, return_complex=True)
wave = torch.istft(spectrum, 64, window=window)
```

Message (torch 1.7 to 1.13, a warning; `return_complex=True`):

```text
UserWarning: stft will soon require the return_complex parameter be given for real inputs, and will further require that return_complex=True in a future PyTorch release.
```

Message (torch 1.8 to 2.13, a warning; `return_complex=True`):

```text
UserWarning: stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex tensors for all inputs, and return_complex=False will raise an error.
```

Message (torch 1.7):

```text
UserWarning: stft will require the return_complex parameter be explicitly  specified in a future PyTorch release. Use return_complex=False  to preserve the current behavior or return_complex=True to return  a complex output.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"stft (?:will (?:soon )?)?requires? the return_complex parameter be (?:given|explicitly specified)",
    r"stft with return_complex=False is deprecated",
    odds=0.96,
)
def forth(failure: Failure) -> Hits:
    yield failure.hit("say return_complex=True, and .abs() or torch.view_as_real of what comes")


@pitfall.explains(r"istft requires a complex-valued input tensor", odds=0.96)
def back(failure: Failure) -> Hits:
    yield failure.hit(
        "istft takes complex spectra: torch.view_as_complex(x.contiguous()) where the last dimension is 2, torch.polar(magnitude, phase) of "
        "magnitudes"
    )
