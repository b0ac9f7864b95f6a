r"""The fast kernels of attention are not there or cannot be used.

`scaled_dot_product_attention` chooses among kernels: flash, memory-efficient, cuDNN, or plain mathematics, which works always
and takes the memory of the whole matrix of scores. Builds for Windows have no flash kernels up to 2.4 or so; cards
before Ampere, float32, a mask, or heads wider than 256 rule them out. Where only such a kernel is allowed and it
cannot be used, there is none left.

Cure: nothing, where it is only warned of: the result is right. Otherwise float16 or bfloat16 on the card, and no
`sdpa_kernel` that forbids the mathematics; the lines above tell why each kernel was ruled out.

Bad (only a kernel that is not there):

```python
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

q = torch.ones(1, 2, 4, 8, device="cuda")
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    y = F.scaled_dot_product_attention(q, q, q)
```

Good:

```python
import torch
import torch.nn.functional as F

q = torch.ones(1, 2, 4, 8)
y = F.scaled_dot_product_attention(q, q, q)
```

Message (torch 2.0 to 2.13; `without flash attention`):

```text
UserWarning: 1Torch was not compiled with flash attention. (Triggered internally at ..\aten\src\ATen\native\transformers\cuda\sdp_utils.cpp:455.)
  attn_output = torch.nn.functional.scaled_dot_product_attention(
```

Message (torch 2.13; `SDPBackend.MATH`):

```text
RuntimeError: No viable backend for scaled_dot_product_attention was found. This is likely due to turning off both the math kernel and the fused kernels.
```

Message (torch 2.0 to 2.13; `no kernel is left`):

```text
RuntimeError: No available kernel. Aborting execution.
```

Message (transformers; `flash-attn is not installed`):

```text
ImportError: FlashAttention2 has been toggled on, but it cannot be used due to the following error: the package flash_attn seems to be not installed.
```

Message (no flash-attn):

```text
ModuleNotFoundError: No module named 'flash_attn'
```

Message (flash-attn 2; `an older card`):

```text
RuntimeError: FlashAttention only supports Ampere GPUs or newer.
```

Message (transformers; `this model`):

```text
ValueError: BertModel does not support Flash Attention 2.0 yet.
```

Message (torch 2.0 to 2.1; `enable_flash_sdp`):

```text
RuntimeError: Expected is_sm90 || is_sm8x || is_sm75 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)
```

Message (flash-attn 1 and 2; `heads`):

```text
RuntimeError: FlashAttention forward only supports head dimension at most 256
```

Message (transformers 4.46; `eager`):

```text
ValueError: T5ForConditionalGeneration does not support an attention implementation through torch.nn.functional.scaled_dot_product_attention yet. Please request the support for this architecture: https://github.com/huggingface/transformers/issues/28005.
```

Message (transformers 4.46; `on the CPU`):

```text
ValueError: You are attempting to use Flash Attention 2.0 with a model not initialized on GPU and with no GPU available. This is not supported yet.
```

Message (transformers 4.46; `on the CPU`):

```text
ValueError: FlashAttention2 has been toggled on, but it cannot be used due to the following error: Flash Attention 2 is not available on CPU. Please make sure torch can access a CUDA device.
```

Message (torch 2.0 to 2.13; `bfloat16 before Ampere`):

```text
RuntimeError: cutlassF: no kernel found to launch!
```

Message (xFormers 0.0.16 to 0.0.17; `memory_efficient_attention`):

```text
ValueError: Operator `memory_efficient_attention` does not support inputs:
     query       : shape=(8, 256, 1, 160) (torch.float16)
     key         : shape=(8, 77, 1, 160) (torch.float16)
```

Message (transformers 4 and 5; `float32`):

```text
ValueError: Flash Attention 2.0 only supports torch.float16 and torch.bfloat16 dtypes, but the current dype in LlamaForCausalLM is torch.float32.
```

Message (flash-attn 1, as Qwen asks it; `float32`):

```text
  File "/root/.cache/huggingface/modules/transformers_modules/modeling_qwen.py", line 120, in forward
    assert all((i.dtype in [torch.float16, torch.bfloat16] for i in (q, k, v)))
AssertionError
```

Message (a program of YOLO's; `flash-attn`):

```text
AssertionError: import FlashAttention error! Please install FlashAttention first.
```

Message (Point Transformer V3; `flash-attn`):

```text
AssertionError: Make sure flash_attn is installed.
```

Message (flash-attn 3; `FlashAttention 3`):

```text
ModuleNotFoundError: No module named 'flash_attn_interface'
```
"""

from keng.explain.advice.attention import of_flash, refused
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="cuda")


@pitfall.explains(r"Torch was not compiled with (?:flash|memory efficient) attention", odds=0.97)
def slower_but_right(failure: Failure) -> Hits:
    yield failure.hit(
        "this build or card is without flash attention, and another kernel is taken: slower, and right"
    )


@pitfall.explains(
    r"No available kernel\. Aborting execution|No viable backend for scaled_dot_product_attention|cutlassF: no kernel found to launch",
    odds=0.95,
)
def none_left(failure: Failure) -> Hits:
    says = "no kernel is left for this attention: allow SDPBackend.MATH beside the others, or float16 on a card that has the fast ones"
    if "cutlassF" in failure.message:
        says = "the kernel of cutlass is not there for this card and dtype, as for bfloat16 before Ampere: float16 or float32, or torch.backends.cuda.enable_mem_efficient_sdp(False)"
    yield failure.hit(says)


@pitfall.explains(
    r"FlashAttention2? has been toggled on, but it cannot be used|(?:[Pp]lease install FlashAttention first|Make sure flash_attn is installed)",
    r"No module named 'flash_attn(?:_2_cuda|_interface)?'",
    odds=0.93,
)
def package_missing(failure: Failure) -> Hits:
    yield failure.hit(of_flash(failure))


@pitfall.explains(r"Expected is_sm[\w| ]{1,60} to be true, but got false", odds=0.9)
def not_on_this_card(failure: Failure) -> Hits:
    yield failure.hit(
        "the backward of flash attention is not there for this card and head size: "
        "torch.backends.cuda.enable_flash_sdp(False), or attention in float32"
    )


@pitfall.explains(
    r"Flash ?Attention (?:[\d.]+ )?only supports? (?:torch\.)?(?P<what>Ampere GPUs|fp16(?:,| and) bf16|float16 and torch\.bfloat16|CUDA|head dim)",
    r"FlashAttention (?:forward only supports|backward for) (?P<what>head dim)",
    r"does not support (?P<what>Flash Attention)",
    r"assert (?:all\(\(?i|qkv)\.dtype in \[torch\.(?P<what>float16), torch\.bfloat16\]",
    odds=0.93,
)
def not_taken(failure: Failure) -> Hits:
    yield failure.hit(refused(failure.groups["what"]))


@pitfall.explains(
    r"does not support an attention implementation through torch\.nn\.functional\.scaled_dot_product_attention",
    odds=0.95,
)
def model_without_sdpa(failure: Failure) -> Hits:
    yield failure.hit(
        'this model has no other attention than its own: attn_implementation="eager", or a newer transformers'
    )


@pitfall.explains(
    r"use Flash Attention 2\.0 with a model (?P<where>not initialized on GPU|dispatched on CPU)",
    r"Flash Attention 2 is not available on (?P<where>CPU)|assert (?:all\(\(?i|qkv)\.is_cuda\b",
    odds=0.95,
)
def model_on_the_cpu(failure: Failure) -> Hits:
    yield failure.hit(
        'flash attention works on a card alone, and the model is on the CPU: device_map="cuda", or attn_implementation="sdpa"'
    )


@pitfall.explains(r"Operator `memory_efficient_attention` does not support inputs", odds=0.93)
def kernel_of_xformers(failure: Failure) -> Hits:
    yield failure.hit(
        "the kernel of xFormers that was asked for takes no heads of this size, dtype or mask: memory_efficient_attention without "
        "`op`, or scaled_dot_product_attention"
    )
