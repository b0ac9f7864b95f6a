r"""The files of a tokenizer do not suit the libraries that read them.

A tokenizer is stored as `tokenizer.json`, for the package `tokenizers`, or as `tokenizer.model`, for SentencePiece; from the second Transformers makes the first, by `sentencepiece` and `protobuf`, and where
these are missing it may try tiktoken on a file that is none of tiktoken's. The format of `tokenizer.json` gains kinds: what a newer `tokenizers` wrote, an older one does not read (pairs of
merges as lists since 0.20). A Git LFS pointer, or a folder with no tokenizer in it, fails at the same places.

Cure: `pip install -U transformers tokenizers`, `pip install sentencepiece protobuf tiktoken`, then restart the kernel; `ls -l` the folder: a `tokenizer.model` of some hundred bytes is a pointer, `git lfs pull`.

Bad (a kind that this version does not know):

```python
import json
import tempfile
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordLevel

file = Path(tempfile.mkdtemp()) / "tokenizer.json"
Tokenizer(WordLevel({"a": 0}, "a")).save(str(file))
stored = json.loads(file.read_text())
stored["pre_tokenizer"] = {"type": "OfALaterVersion"}
file.write_text(json.dumps(stored))
tokenizer = Tokenizer.from_file(str(file))  # seen: `tokenizers`
```

Bad (a folder without a tokenizer):

```python
import tempfile

from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(tempfile.mkdtemp())
```

Good:

```python
import tempfile
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordLevel

file = Path(tempfile.mkdtemp()) / "tokenizer.json"
Tokenizer(WordLevel({"a": 0}, "a")).save(str(file))
tokenizer = Tokenizer.from_file(str(file))
```

Message (tokenizers 0.19, a file that 0.20 wrote; `ModelWrapper`):

```text
Exception: data did not match any variant of untagged enum ModelWrapper at line 757443 column 3
```

Message (transformers 4.5 to 4.57; `sentencepiece`):

```text
ValueError: Couldn't instantiate the backend tokenizer from one of:
(1) a `tokenizers` library serialization file,
(2) a slow tokenizer instance to convert or
(3) an equivalent slow tokenizer class to instantiate and convert.
You need to have sentencepiece installed to convert a slow tokenizer to a fast one.
```

Message (transformers 4.45 to 5; `sentencepiece`):

```text
ValueError: Converting from SentencePiece and Tiktoken failed, if a converter for SentencePiece is available, provide a model path with a SentencePiece tokenizer model file.Currently available slow->fast converters: ['AlbertTokenizer', 'BartTokenizer']
```

Message (transformers 4 and 5; `vocabulary`):

```text
OSError: Unable to load vocabulary from file. Please check that the provided vocabulary is accessible and not corrupted.
```

Message (sentencepiece 0.2; `./llama/tokenizer.model`):

```text
RuntimeError: Internal: could not parse ModelProto from ./llama/tokenizer.model
```

Message (sentencepiece 0.1; `pointer`):

```text
RuntimeError: Internal: src/sentencepiece_processor.cc(1101) [model_proto->ParseFromArray(serialized.data(), serialized.size())]
```

Message (tiktoken, by transformers 4.45 and later; `sentencepiece`):

```text
ValueError: Error parsing line b'\x0e' in /models/mistral/tokenizer.model
```

Message (sentencepiece; `None`):

```text
Traceback (most recent call last):
  File "chat.py", line 5, in <module>
    tokenizer = LlamaTokenizer.from_pretrained("./llama")
  File "/env/lib/python3.10/site-packages/sentencepiece/__init__.py", line 310, in LoadFromFile
    return _sentencepiece.SentencePieceProcessor_LoadFromFile(self, arg)
TypeError: not a string
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import tokenizers, transformers")

POINTER = "a Git LFS pointer, a page, or, of Llama 3 and later, a file for tiktoken: git lfs pull, or AutoTokenizer on the folder with tokenizer.json"


@pitfall.explains(
    r"data did not match any variant of untagged enum (?P<kind>(?:Py)?(?:Model|PreTokenizer|Normalizer|Decoder|PostProcessor|Merge)\w{0,40})",
    odds=0.96,
)
def written_by_a_newer_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"tokenizer.json holds a {failure.groups['kind']} that the installed tokenizers does not know, as a newer one wrote it: pip install -U "
        "transformers tokenizers"
    )


@pitfall.explains(
    r"could not parse ModelProto from (?P<file>\S{1,300})",
    r"sentencepiece_processor\.cc\(\d{1,5}\) \[model_proto->ParseFromArray",
    odds=0.96,
)
def no_model_of_sentencepiece(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups.get('file') or 'tokenizer.model'} is no model of SentencePiece: {POINTER}"
    )


@pitfall.explains(
    r"Error parsing line b['\"].{1,300}['\"] in (?P<file>\S{1,300}\.model)\b", odds=0.93
)
def read_by_tiktoken(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']} is a model of SentencePiece, and tiktoken was tried on it: pip install sentencepiece protobuf, then restart"
    )


@pitfall.explains(r"(?:^|Error: )not a string$", odds=0.95)
def no_file_given(failure: Failure) -> Hits:
    if failure.passed_through("sentencepiece/__init__.py"):
        yield failure.hit(
            "the folder has no tokenizer.model, so that None is loaded: AutoTokenizer, which takes tokenizer.json, or the missing file"
        )


MADE_OF = "there is no tokenizer.json that suits, and none could be made: the folder has no tokenizer, or sentencepiece, protobuf or tiktoken is missing; install them, then restart"
pitfall.answers(
    {
        "Couldn't instantiate the backend tokenizer from one of": MADE_OF,
        "Converting from SentencePiece and Tiktoken failed": MADE_OF,
        "Unable to load vocabulary from file. Please check": "a file of the vocabulary is missing, or not what its name says, as where git left a pointer: ls -l the folder, git lfs pull, or force_download=True",
    },
    odds=0.95,
)
