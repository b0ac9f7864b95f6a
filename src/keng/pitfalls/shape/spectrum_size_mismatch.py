r"""A short-time Fourier transform gets a signal, a window or a spectrum that does not fit.

`torch.stft` takes one signal or a batch of them, (time) or (batch, time), so channels go into the batch. The window has `win_length` values,
which is `n_fft` unless told. `torch.istft` takes what `stft(..., return_complex=True)` gave with the same `n_fft`: complex numbers, of
`n_fft // 2 + 1` frequencies.

Cure: `x.reshape(-1, x.size(-1))` for channels; `torch.hann_window(win_length)`; one set of numbers for both directions; signals shorter than `n_fft` are padded first.

Bad (a window):

```python
import torch

signal, window = torch.ones(1000), torch.hann_window(300)
spectrum = torch.stft(signal, 400, window=window, return_complex=True)  # seen: `400`
```

Bad (windows that do not cover it):

```python
import torch

spectrum, window = torch.ones(9, 5, dtype=torch.cfloat), torch.hann_window(16)
signal = torch.istft(spectrum, 16, window=window, center=False)  # seen: `center=True`
```

Bad (nothing to transform):

```python
import torch

spectrum = torch.fft.fft(torch.ones(0))  # seen: `0 points`
```

Bad (a norm that is none):

```python
import torch

spectrum = torch.fft.fft(torch.ones(4), norm="orthogonal")  # seen: `ortho`
```

Bad (sizes without their dimensions):

```python
import torch

spectrum = torch.fft.fftn(torch.ones(2, 4), s=(2, 2), dim=(0,))  # seen: `as many`
```

Bad (no step):

```python
import torch

signal, window = torch.ones(1000), torch.hann_window(400)
spectrum = torch.stft(signal, 400, 0, window=window, return_complex=True)  # seen: `hop_length`
```

Bad (a window longer than its frame):

```python
import torch

spectrum = torch.stft(torch.ones(1000), 400, win_length=500, return_complex=True)  # seen: `500`
```

Bad (steps longer than the window):

```python
import torch

spectrum = torch.ones(9, 5, dtype=torch.cfloat)
signal = torch.istft(spectrum, 16, hop_length=20, window=torch.ones(16))  # seen: `win_length`
```

Bad (half of a complex spectrum):

```python
import torch

signal = torch.ones(1000, dtype=torch.cfloat)
spectrum = torch.stft(signal, 400, onesided=True, return_complex=True)  # seen: `onesided=False`
```

Good:

```python
import torch

signal, window = torch.ones(1000), torch.hann_window(400)
spectrum = torch.stft(signal, 400, window=window, return_complex=True)
signal = torch.istft(spectrum, 400, window=window)
```

Message (torch 2.13; `channels`):

```text
RuntimeError: stft(torch.FloatTensor[2, 3, 1400], n_fft=400, hop_length=100, win_length=400, window=None, normalized=0, onesided=None, return_complex=1, align_to_window=None) : expected a 1D or 2D tensor
```

Message (torch 2.13; `shorter`):

```text
RuntimeError: stft(torch.FloatTensor[4], n_fft=400, hop_length=100, win_length=400, window=None, normalized=0, onesided=None, return_complex=1, align_to_window=None) : expected 0 < n_fft < 4, but got n_fft=400
```

Message (torch 2.13; `101`):

```text
RuntimeError: istft(CPUComplexFloatType[101, 5], n_fft=400, hop_length=100, win_length=400, window=None, center=1, normalized=0, onesided=None, length=None, return_complex=0) : expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when onesided=True, but got 101
```

Message (torchaudio 0.6 to 2.8; `(channels, samples)`):

```text
AssertionError: choose a window size 400 that is [2, 160]
```

Message (torchaudio 0.8 to 2.8; `n_mels`):

```text
UserWarning: At least one mel filterbank has all zero values. The value for `n_mels` (128) may be set too high. Or, the value for `n_freqs` (201) may be set too low.
```

Message (transformers 4 and 5; `3000`):

```text
ValueError: Whisper expects the mel input features to be of length 3000, but found 1500. Make sure to pad the input mel features to 3000.
```

Message (openai-whisper; `pad_or_trim`):

```text
AssertionError: incorrect audio shape
```

Message (transformers 4 and 5; `mask_time_length`):

```text
ValueError: `mask_length` has to be smaller than `sequence_length`, but got `mask_length`: 10 and `sequence_length`: 5`
```

Message (torch 2.13, of torch.istft; `win_length is 20`):

```text
RuntimeError: istft(CPUComplexFloatType[9, 10], n_fft=16, hop_length=4, win_length=20, window=None, center=1, normalized=0, onesided=None, length=None, return_complex=0) : expected 0 < win_length <= n_fft
```

Message (torch 2.13):

```text
RuntimeError: istft(CPUComplexDoubleType[1, 1, 10, 2], n_fft=10, hop_length=2, win_length=10, window=None, center=1, normalized=0, onesided=None, length=None, return_complex=0) : expected a tensor with 3 or 4 dimensions, but got 5
```

Message (torch 2.13):

```text
RuntimeError: istft(CPUComplexFloatType[9, 0], n_fft=16, hop_length=4, win_length=16, window=None, center=1, normalized=0, onesided=None, length=None, return_complex=0) : input tensor cannot be empty.
```

Message (torch 1.8 to 2.13, of a sound whose channels come last; `these are channels`):

```text
RuntimeError: stft(torch.FloatTensor[16000, 2], n_fft=400, hop_length=100, win_length=400, window=None, normalized=0, onesided=None, return_complex=1, align_to_window=None) : expected 0 < n_fft <= 2, but got n_fft=400
```

Message (torch 1.8 to 2.13, of both halves of a spectrum; `n_fft=400`):

```text
RuntimeError: istft(CPUComplexFloatType[400, 5], n_fft=512, hop_length=100, win_length=400, window=None, center=1, normalized=0, onesided=False, length=None, return_complex=0) : expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when onesided=False, but got 400
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"stft\(.{1,300}?\) : expected a 1D or 2D tensor", odds=0.97)
def with_channels(failure: Failure) -> Hits:
    yield failure.hit("stft takes (time) or (batch, time): put the channels into the batch")


@pitfall.explains(r"expected 0 < n_fft <=? (?P<length>\d+), but got n_fft=(?P<n>\d+)", odds=0.97)
def shorter_than_a_frame(failure: Failure) -> Hits:
    length, n = failure.groups["length"], failure.groups["n"]
    cure = "x.T, as these are channels, perhaps" if int(length) < 9 else "pad it"
    says = f"the signal has {length} samples, shorter than a frame of n_fft={n}"
    yield failure.hit(f"{says}: {cure}")


@pitfall.explains(
    r"expected a 1D window tensor of size equal to win_length=(?P<wants>\d+), but got window with size \[(?P<came>[\d, ]*)\]",
    odds=0.97,
)
def window_of_another_length(failure: Failure) -> Hits:
    says = "the window has {came} values, and win_length is {wants}"
    yield failure.hit(says.format(**failure.groups))


@pitfall.explains(
    r"expected the frequency dimension .{0,120}? to match n_fft(?: / 2 \+ 1)? when onesided=\w+, but got (?P<came>\d+)",
    odds=0.97,
)
def of_another_transform(failure: Failure) -> Hits:
    came = int(failure.groups["came"])
    fits = 2 * came - 2 if "onesided=True" in failure.message else came
    says = f"the spectrum has {came} frequencies, which is another n_fft than is given"
    yield failure.hit(f"{says}: n_fft={fits}, or its frames stand where the frequencies do")


@pitfall.explains(r"window overlap add min: ", odds=0.95)
def window_without_cover(failure: Failure) -> Hits:
    yield failure.hit(
        "somewhere all windows are zero, so the signal cannot be told there: center=True in both directions, a shorter "
        "hop_length, or another window"
    )


@pitfall.explains(r"Invalid number of data points \((?P<n>-?\d+)\) specified", odds=0.96)
def no_points(failure: Failure) -> Hits:
    yield failure.hit(
        f"a transform of {failure.groups['n']} points: the dimension is empty, or n= is to say how long the real signal was"
    )


@pitfall.explains(r"(?:^|Error: )Invalid normalization mode: \"(?P<mode>\w+)\"", odds=0.96)
def unknown_norm(failure: Failure) -> Hits:
    says = "norm= is one of forward, backward and ortho, and not {mode}"
    yield failure.hit(says.format(**failure.groups))


@pitfall.explains(
    r" expected 0 < win_length <= n_fft, but got win_length=(?P<came>-?\d+)",
    r"win_length=(?P<came>-?\d+), window=.{1,150}? : expected 0 < win_length <= n_fft",
    odds=0.97,
)
def longer_than_its_frame(failure: Failure) -> Hits:
    says = "win_length is {came}, and goes from 1 to n_fft: a larger n_fft for longer windows"
    yield failure.hit(says.format(**failure.groups))


pitfall.answers(
    {
        "When given, dim and shape arguments must have the same length": "s= has a size for each of dim=: as many in one as in the other",
        "choose a window size ": "the waveform has fewer samples than a window: (channels, samples) and not the reverse, or longer clips",
        "mel filterbank has all zero values": "there are more mel bands than frequencies to fill them: fewer n_mels, or a larger n_fft",
        "Whisper expects the mel input features to be of length": "Whisper takes 30 seconds, 3000 frames, whatever is said in them: the processor pads to that by itself",
        "`mask_length` has to be smaller than `sequence_length`": "a clip gives fewer steps than SpecAugment masks at once: leave short clips out, or config.mask_time_length below them",
        "incorrect audio shape": "Whisper takes 30 seconds, 3000 frames, whatever is said in them: whisper.pad_or_trim(audio) before the spectrogram",
        "FFT dims must be unique": "a dimension is transformed once: each stands once in dim=",
        "expected hop_length > 0": "hop_length is 1 or more: how far a frame lies behind the one before",
        "expected 0 < hop_length <= win_length": "the frames leave gaps: hop_length goes from 1 to win_length, which is n_fft unless told",
        "Cannot have onesided output if window or input is complex": "the spectrum of complex numbers has no half that says all: onesided=False",
        "Invalid window shape. window has to be 1D and length of": "the window has win_length values, which is n_fft unless told: torch.hann_window(win_length)",
        "expected a tensor with 3 or 4 dimensions, but got": "istft takes a spectrum (frequencies, frames) or a batch of them: put the channels into the batch",
        " : input tensor cannot be empty": "the spectrum has no frames: look what left nothing of it",
    },
    odds=0.96,
)
