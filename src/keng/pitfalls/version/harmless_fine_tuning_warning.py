r"""A library of fine-tuning warns of what changes no result.

accelerate, PEFT, DeepSpeed, diffusers and xFormers say what they filled in by themselves, which of their parts are not built on this machine, and what they save along. The numbers
are right; at most it is slower or a file is larger.

Cure: nothing; the option that the line names silences it where it is named; what follows in the log counts.

Bad (a layer of GPT-2, which keeps its weight the other way round):

```python
import warnings

from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

warnings.simplefilter("error")
model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model = get_peft_model(model, LoraConfig(target_modules=["c_attn"]))  # seen: `fan_in_fan_out`
```

Good:

```python
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model = get_peft_model(model, LoraConfig(target_modules=["c_attn"], fan_in_fan_out=True))
```

Message (accelerate; `accelerate config`):

```text
The following values were not passed to `accelerate launch` and had defaults used instead:
        `--num_processes` was set to a value of `1`
        `--num_machines` was set to a value of `1`
        `--mixed_precision` was set to a value of `'no'`
        `--dynamo_backend` was set to a value of `'no'`
To avoid this warning pass in values for each of the problematic parameters or run `accelerate config`.
```

Message (accelerate 0.26 to 0.34 under an older Transformers; `below 1.0`):

```text
FutureWarning: Passing the following arguments to `Accelerator` is deprecated and will be removed in version 1.0 of Accelerate: dict_keys(['dispatch_batches', 'split_batches', 'even_batches', 'use_seedable_sampler']). Please pass an `accelerate.DataLoaderConfiguration` instead:
```

Message (accelerate; `a tenth`):

```text
We will use 90% of the memory on device 0 for storing the model, and 10% for the buffer to avoid OOM. You can set `max_memory` in to a higher value to use more memory (at your own risk).
```

Message (accelerate; `counted twice`):

```text
The model weights are not tied. Please use the `tie_weights` method before using the `infer_auto_device` function.
```

Message (accelerate; `saved once`):

```text
Removed shared tensor {'lm_head.weight'} while saving. This should be OK, but check by verifying that you don't receive any warning while reloading
```

Message (accelerate; `5.5`):

```text
Detected kernel version 5.4.0, which is below the recommended minimum of 5.5.0; this can cause the process to hang. It is recommended to upgrade the kernel to the minimum version or higher.
```

Message (accelerate; `a free one`):

```text
UserWarning: Port `29500` is already in use. Accelerate will attempt to launch in a standalone-like mode by finding an open port automatically for this session.
```

Message (accelerate; `twice the memory`):

```text
UserWarning: Upcasted low precision parameters in LlamaForCausalLM because mixed precision turned on in FSDP. Affects: embed_tokens.weight, norm.weight, lm_head.weight.
```

Message (accelerate; `rank 0`):

```text
UserWarning: sync_module_states cannot be False since efficient cpu ram loading enabled. Setting sync_module_states to True.
```

Message (accelerate; `stage 3`):

```text
UserWarning: DeepSpeed Zero3 Init flag is only applicable for ZeRO Stage 3. Setting it to False.
```

Message (PEFT; `its file is larger`):

```text
UserWarning: Setting `save_embedding_layers` to `True` as embedding layers found in `target_modules`.
```

Message (PEFT; `its file is larger`):

```text
UserWarning: Setting `save_embedding_layers` to `True` as the embedding layer has been resized during finetuning.
```

Message (PEFT; `added tokens`):

```text
UserWarning: Could not find a config file in meta-llama/Llama-2-7b-hf - will assume that the vocabulary was not modified.
```

Message (PEFT; `base model`):

```text
UserWarning: The PEFT config's `base_model_name_or_path` was renamed from 'None' to 'gpt2'. Please ensure that the correct base model is loaded when loading this checkpoint.
```

Message (DeepSpeed; `NVMe`):

```text
 [WARNING]  async_io requires the dev libaio .so object and headers but these were not found.
```

Message (DeepSpeed; `sparse attention`):

```text
 [WARNING]  using untested triton version (2.1.0), only 1.0.0 is known to be compatible
```

Message (DeepSpeed; `sparse attention`):

```text
 [WARNING]  sparse_attn requires a torch version >= 1.5 and < 2.0 but detected 2.1
```

Message (DeepSpeed; `one machine`):

```text
[WARNING] [runner.py:212:fetch_hostfile] Unable to find hostfile, will proceed with training with local resources only.
```

Message (DeepSpeed; `nearly full`):

```text
[WARNING] [stage3.py:1949:step] 3 pytorch allocator cache flushes since last step. this happens when there is high memory pressure and is detrimental to performance.
```

Message (diffusers; `checker`):

```text
You have disabled the safety checker for <class 'diffusers.pipelines.stable_diffusion.pipeline_stable_diffusion.StableDiffusionPipeline'> by passing `safety_checker=None`. Ensure that you abide to the conditions of the Stable Diffusion license
```

Message (diffusers; `accelerate`):

```text
Cannot initialize model with low cpu memory usage because `accelerate` was not found in the environment. Defaulting to `low_cpu_mem_usage=False`.
```

Message (diffusers; `larger files`):

```text
A mixture of fp16 and non-fp16 filenames will be loaded.
```

Message (xFormers; `Windows`):

```text
WARNING:root:A matching Triton is not available, some optimizations will not be enabled.
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="import peft, transformers")

ALONG = "PEFT saves the embedding along with the adapter, and its file is larger: save_embedding_layers=False where no token was added or trained"
SPARSE = (
    "DeepSpeed's sparse attention is not for this torch or Triton, and nothing else needs it: right"
)

pitfall.answers(
    {
        "fan_in_fan_out is set to": "fan_in_fan_out is put right for the layer, as for the Conv1D of GPT-2: the result is right",
        "values were not passed to `accelerate launch` and had defaults": "accelerate launch tells what it filled in: right where the numbers below are meant, and `accelerate config` once ends it",
        "to `Accelerator` is deprecated and will be removed in version 1.0": "a Trainer gives accelerate arguments of older times, which work below 1.0: right",
        "We will use 90% of the memory on device": "accelerate leaves a tenth of the card free for what the layers compute: right",
        "The model weights are not tied. Please use the": "weights that are to be tied later are counted twice in the device_map: right, and some room is left over",
        "while saving. This should be OK, but check by verifying": "weights that share their memory are saved once, and tied again when they are loaded: right",
        "which is below the recommended minimum of 5.5.0": "Linux before 5.5 has let some runs stand still: right where this one goes on, else a newer kernel on the host",
        "Accelerate will attempt to launch in a standalone-like mode": "another run has the port, and accelerate takes a free one: right, --main_process_port 0 says so",
        "because mixed precision turned on in FSDP": "weights loaded in 16 bits are kept in float32 for mixed precision, which takes twice the memory and is right; saved files may be float32",
        "FSDP upcast of low precision parameters may affect": "weights loaded in 16 bits are kept in float32 for mixed precision, which takes twice the memory and is right; saved files may be float32",
        "cannot be False since efficient cpu ram loading enabled": "rank 0 alone loads the weights and sends them to the others, which needs sync_module_states: it is on, right",
        "Zero3 Init flag is only applicable for ZeRO Stage 3": "zero3_init_flag is for stage 3, and another is chosen: it is off, right",
        "Setting `save_embedding_layers` to `True` as": ALONG,
        "will assume that the vocabulary was not modified": "PEFT could not look the base model's configuration up, and saves the adapter without the embedding: right unless there are added tokens",
        "The PEFT config's `base_model_name_or_path` was renamed": "the configuration of the adapter takes the name of the model that it is put on: right where it is the same base model",
        "requires the dev libaio .so object and headers": "DeepSpeed's part that moves weights to an NVMe disk cannot be built here: right without it, apt install libaio-dev for it",
        "only 1.0.0 is known to be compatible": SPARSE,
        "sparse_attn requires a torch version": SPARSE,
        "Unable to find hostfile, will proceed with training": "deepspeed asks for a list of hosts, which one machine needs not: right",
        "pytorch allocator cache flushes since last step": "the card is nearly full and its memory is given back and asked for again: right and slow, smaller batches or buckets, or offloading",
        "You have disabled the safety checker for": "the pipeline shows its images without a checker, as it was told: right",
        "Cannot initialize model with low cpu memory usage": "the weights are loaded after random ones were made, as accelerate is missing: right and slower, pip install accelerate",
        "filenames will be loaded.": "some parts have no file of that variant, and the larger files of these are taken: right",
        "A matching Triton is not available, some optimizations": "xFormers goes without Triton, as under Windows: right, and a little slower",
    },
    odds=0.93,
)
