r"""`torchaudio` has nothing to read audio files with.

torchaudio leaves reading to others: SoX and soundfile up to 2.0, FFmpeg, soundfile or SoX from 2.1, TorchCodec from 2.9. Where none of
them is installed or loads, no file is read, whatever its format; a single format that a backend does not know gives the
same message.

Cure: `pip install soundfile` (and `libsndfile1` of the system) or FFmpeg of a version that is supported; `pip install torchcodec` for
2.9 and later; `torchaudio.list_audio_backends()` shows what there is up to 2.8.

Bad:

```python
import torchaudio

wave, rate = torchaudio.load("test.wav")
```

Good:

```python
import torch

rate = 16000
wave = torch.sin(torch.arange(rate) * 0.1)
```

Message (torchaudio 2.1 to 2.8; `test.wav`):

```text
RuntimeError: Couldn't find appropriate backend to handle uri test.wav and format None.
```

Message (torchaudio 0.8 to 2.0):

```text
RuntimeError: No audio I/O backend is available.
```

Message (torchaudio 2.9; `torchcodec`):

```text
ImportError: TorchCodec is required for load_with_torchcodec. Please install torchcodec to use this function.
```

Message (torchaudio 2.9, TorchCodec; `FFmpeg`):

```text
RuntimeError: Could not load libtorchcodec. Likely causes: 1. FFmpeg is not properly installed in your environment.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchaudio")


@pitfall.explains(
    r"Couldn't find appropriate backend to handle uri (?P<file>\S{1,300}) and format",
    r"Couldn't find appropriate backend to handle uri",
    r"No audio (?:I/O )?backend is available",
    odds=0.93,
)
def nothing_reads(failure: Failure) -> Hits:
    file = failure.groups.get("file") or "any file"
    yield failure.hit(f"no backend of torchaudio reads {file}: pip install soundfile, or FFmpeg")


@pitfall.explains(r"TorchCodec is required for \w{4,40}", odds=0.95)
def codec_missing(failure: Failure) -> Hits:
    yield failure.hit("since 2.9 torchaudio reads by a package of its own: pip install torchcodec")


@pitfall.explains(r"Could not load libtorchcodec", odds=0.95)
def codec_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(
        "torchcodec does not load: FFmpeg 4 to 7 with its libraries is missing, or it is not the torchcodec of this torch"
    )
