r"""An audio file is of a form that its reader does not know, or damaged.

What reads for torchaudio goes by what the file holds, not by its name: a video, a web page or an empty file that is called `.wav` has no
header of one. SoX as it comes in the wheels knows neither Opus nor AAC, from 0.12 on no MP3, which FFmpeg reads then, and an old soundfile no MP3; bytes in memory
have no name at all. SoX says of a file that is not there the same as of one that it cannot read.

Cure: `ffprobe file` tells what it is; write it anew, `ffmpeg -i file -ar 16000 file.wav`; leave out empty and damaged files before training; for
bytes `format="mp3"`, or a newer `soundfile`.

Bad:

```python
import torchaudio

with open("speech.wav", "wb") as file:
    file.write(b"<html>not found</html>")
wave, rate = torchaudio.load("speech.wav")
```

Good:

```python
import torch

rate = 16000
wave = torch.sin(torch.arange(rate) * 0.1)
```

Message (torchaudio 0.7 to 2.8, SoX; `Opus`):

```text
RuntimeError: Error loading audio file: failed to open file test.opus
```

Message (torchaudio 0.3 to 0.6, SoX; `length`):

```text
RuntimeError: Error reading audio file: unknown length
```

Message (torchaudio 0.8 to 2.8, SoX, which reads WAV; `is not there`):

```text
RuntimeError: Error loading audio file: failed to open file /home/u/.cache/torch/hub/snakers4_silero-vad_master/files/de.wav
```

Message (torchaudio 0.12 to 2.0, without FFmpeg; `speech.mp3`):

```text
RuntimeError: Failed to load audio from speech.mp3
```

Message (torchaudio 2.1 to 2.8, FFmpeg; `speech.wav`):

```text
RuntimeError: Failed to open the input "speech.wav" (Invalid data found when processing input).
```

Message (torchaudio, FFmpeg, no such file; `not there`):

```text
RuntimeError: Failed to open the input "speech.wav" (No such file or directory).
```

Message (SoX; `RIFF header`):

```text
formats: can't open input file `speech.wav': WAVE: RIFF header not found
```

Message (soundfile; `speech.mp3`):

```text
soundfile.LibsndfileError: Error opening 'speech.mp3': Format not recognised.
```

Message (torchaudio 0.3 to 0.6, SoX; `invalid header`):

```text
RuntimeError: Error opening audio file: invalid header
```

Message (librosa, audioread 2; `ffprobe`):

```text
  File "/env/lib/python3.8/site-packages/librosa/core/audio.py", line 112, in load
    with audioread.audio_open(os.path.realpath(path)) as input_file:
  File "/env/lib/python3.8/site-packages/audioread/__init__.py", line 116, in audio_open
    raise NoBackendError()
audioread.NoBackendError
```

Message (librosa 0.8 to 0.10, audioread 3; `FFmpeg`):

```text
audioread.exceptions.NoBackendError
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchaudio")


@pitfall.explains(
    r"Error loading audio file: failed to open file ?(?P<file>\S{0,300})",
    r"Error (?:reading|opening) audio file: (?P<what>unknown length|invalid (?:header|file))",
    odds=0.9,
)
def not_by_sox(failure: Failure) -> Hits:
    file, what = failure.groups.get("file") or "the file", failure.groups.get("what")
    says = f" ({what})" if what else ", as Opus, AAC or a damaged one, or it is not there"
    if what == "unknown length":
        yield failure.hit(
            "SoX cannot tell how long the file is, as of MP3s without a length in their head: ffmpeg -i FILE out.wav"
        )
    elif file.lower().endswith((".wav", ".flac")):
        yield failure.hit(f"{file} is not there, or holds something else than its name says")
    else:
        yield failure.hit(f"SoX cannot read {file}{says}: ffprobe tells what it is")


@pitfall.explains(r"Failed to load audio from (?P<file>[^\s`]{1,300})", odds=0.9)
def not_by_sox_alone(failure: Failure) -> Hits:
    yield failure.hit(
        f"SoX cannot read {failure.groups['file']}, and torchaudio found no FFmpeg, by which it reads MP3 since 0.12: FFmpeg 4; or it is damaged, or not there"
    )


@pitfall.explains(
    r"Failed to open the input \"(?P<file>[^\"]{1,300})\" \((?P<what>[^)]{3,80})\)", odds=0.93
)
def not_by_ffmpeg(failure: Failure) -> Hits:
    file, what = failure.groups["file"], failure.groups["what"]
    if what.startswith("No such"):
        yield failure.hit(f"{file} is not there, from this working directory")
    else:
        yield failure.hit(
            f"FFmpeg finds no audio in {file}: it is empty, damaged or something else"
        )


@pitfall.explains(
    r"formats: can't (?:open input|determine type of) (?:file )?[`'](?P<file>[^']{0,300})'(?:: (?P<what>[^:\n]{1,60}(?:: [^:\n]{1,60})?))?",
    r"Error opening (?P<file>'[^']{1,300}'|<_io\.BytesIO[^>]{0,60}>): (?P<what>Format not recogni[sz]ed|File contains data in an unknown format)",
    odds=0.85,
)
def form_not_known(failure: Failure) -> Hits:
    file, what = failure.groups["file"].strip("'") or "the bytes", failure.groups.get("what")
    says = f" ({what.rstrip('. ')})" if what else ""
    yield failure.hit(
        f"{file} is no audio of a form that is read here{says}: ffprobe tells what it is"
    )


@pitfall.explains(r"\baudioread\.(?:exceptions\.)?NoBackendError", odds=0.93)
def not_by_audioread(failure: Failure) -> Hits:
    yield failure.hit(
        "none of audioread's readers can open the file: it is empty or damaged, which ffprobe tells, or an MP3 or M4A, and there is no FFmpeg here"
    )
