"""Tiny models, a tokenizer and data without network, for the programs that use frameworks."""

from __future__ import annotations

import tempfile
from typing import Any

import digest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PrinterCallback, PreTrainedTokenizerFast

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<s>", "</s>"]
WORDS = "the a small big red blue old new dog cat bird fish car tree house sees likes finds takes".split()
TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }} {% generation %}{{ m['content'] }} </s> {% endgeneration %}"
    "{% endfor %}{% if add_generation_prompt %}assistant {% endif %}"
)


def tokenizer() -> PreTrainedTokenizerFast:
    words = [*SPECIAL, "user", "assistant", *WORDS]
    inner = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]", bos_token="<s>", eos_token="</s>",
        chat_template=TEMPLATE,
    )  # fmt: skip


def sentences(count: int = 48, seed: int = 0) -> list[str]:
    """Sentences of 5 to 9 words."""
    draw = torch.Generator().manual_seed(seed)

    def number(end: int) -> int:
        return int(torch.randint(end, (1,), generator=draw))

    return [" ".join(WORDS[number(len(WORDS))] for _ in range(5 + number(5))) for _ in range(count)]


def folder() -> str:
    return tempfile.mkdtemp(prefix="tiny-")


def arguments(**more: Any) -> dict[str, Any]:
    """What all trainers here are given: two epochs on the CPU, nothing saved or reported."""
    given = {
        "output_dir": folder(), "num_train_epochs": 2, "per_device_train_batch_size": 8,
        "learning_rate": 1e-3, "report_to": "none", "disable_tqdm": True, "use_cpu": True,
        "save_strategy": "no", "seed": 0, "logging_steps": 2,
    }  # fmt: skip
    return {**given, **more}


def train(trainer: Any, **how: Any) -> None:
    """Trains, and prints the losses and a digest of the weights; not the times, which differ."""
    trainer.remove_callback(PrinterCallback)
    trainer.train(**how)
    print([each["loss"] for each in trainer.state.log_history if "loss" in each])
    digest.show(trainer.model)
