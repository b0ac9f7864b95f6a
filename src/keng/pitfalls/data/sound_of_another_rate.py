r"""A sound is sampled at another rate than the model was trained on.

A model of speech takes samples at one rate, 16000 a second for Whisper, Wav2Vec2 and most others; music and video have 44100 or 48000. The numbers look alike at any rate, and at another one the model hears
all too slow or too fast. The feature extractors of Transformers refuse a rate that they are told and that is not theirs; told none, they can only warn.

Cure: `dataset.cast_column("audio", Audio(sampling_rate=16000))` of `datasets`, `torchaudio.functional.resample(x, rate, 16000)`, or `librosa.load(path, sr=16000)`; then `sampling_rate=16000` in the
call.

Bad:

```python
import numpy as np
from transformers import WhisperFeatureExtractor

sound = np.zeros(44100, dtype="float32")
inputs = WhisperFeatureExtractor()(sound, sampling_rate=44100)  # seen: `44100`
```

Good:

```python
import numpy as np
from transformers import WhisperFeatureExtractor

sound = np.zeros(16000, dtype="float32")
inputs = WhisperFeatureExtractor()(sound, sampling_rate=16000)
```

Message (transformers 4 and 5; `sampling_rate=`):

```text
It is strongly recommended to pass the `sampling_rate` argument to `WhisperFeatureExtractor()`. Failing to do so can result in silent errors that might be hard to debug.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


@pitfall.explains(
    r"was trained using a sampling rate of (?P<wants>\d{3,6}).{0,120}?input was sampled with \d{3,6} and not (?P<came>\d{3,6})",
    odds=0.97,
)
def of_another_rate(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"the sound has {came} samples a second, and the model was trained on {wants}: cast_column('audio', Audio(sampling_rate={wants})), or "
        f"torchaudio.functional.resample(x, {came}, {wants}); another number in the call alone makes it wrong"
    )


@pitfall.explains(r"strongly recommended to pass the ``?sampling_rate``? argument to", odds=0.93)
def of_a_rate_not_told(failure: Failure) -> Hits:
    yield failure.hit(
        "the extractor is not told at which rate the sound is sampled, and takes it for its own: sampling_rate= in the call, so that another one is refused"
    )
