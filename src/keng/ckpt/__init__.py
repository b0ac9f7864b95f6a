"""Looks into checkpoint files without torch, and without running anything that is in them.

source.py       where bytes are read from
kinds.py        what a file is, by its first bytes
zips.py         zip archives, both their headers compared
vm.py           the pickle machine, which builds nouns and can do nothing else
opcodes.py      what each opcode does to it
rebuild.py      what the calls in a pickle would make
ledger.py       what is noted on the way, and what it may cost
names.py        names that pickles import, judged
torch_zip.py    torch.save since 1.6
legacy.py       torch.save before
tar.py          torch.save of 2016
packages.py     TorchScript, torch.export, npz
safetensors.py  safetensors
content.py      the reader for what a file is
files.py        the files of one checkpoint
folders.py      checkpoints of several files
reading.py      a path -> a checkpoint
verdict.py      what may be said before it is loaded
inspecting.py   shows it to the units that inspect one
summary.py      what stands out in it
arrays.py       NumPy's arrays in pickles
scalars.py      NumPy's numbers
words.py        its values and calls in words

`typing` is imported for the type checker alone, here and in what `keng ckpt show` imports beside: it takes
a tenth of the time of a start, and a NamedTuple whose annotations are texts another.
"""

from keng.ckpt.reading import read

__all__ = ["read"]
