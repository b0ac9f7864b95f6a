"""What is known of the names in state dicts: wrappers, nestings, names that changed with the versions.

Seen in the wild in 2026; the classes that a wrapper or a rename comes from stand next to it.
"""

from __future__ import annotations

WRAPPERS = (
    "module",  # DataParallel, DistributedDataParallel, DeepSpeed
    "_orig_mod",  # torch.compile
    "_forward_module",  # Lightning's strategies
    "_fsdp_wrapped_module",  # FullyShardedDataParallel
    "_checkpoint_wrapped_module",  # activation checkpointing
    "_module",  # Opacus
    "base_layer",  # PEFT, of a layer that has an adapter next to it
)
"""What wrappers put into a name, as a part of its own, at the front or further in."""

NESTINGS = (
    "state_dict",
    "model_state_dict",
    "model_state",
    "model",
    "net",
    "network",
    "params",
    "module",
    "generator",
    "params_ema",
    "state_dict_ema",
    "ema_state_dict",
    "model_ema",
    "ema",
)
"""Entries of a training checkpoint that hold the weights; the usual ones first."""

RENAMED = (
    # old, new, what must lie next to it under the old name
    ("gamma", "weight", "beta"),  # LayerNorm of BERT as TensorFlow had it
    ("beta", "bias", "gamma"),
    ("g", "weight", "b"),  # GPT-2 as TensorFlow had it
    ("b", "bias", "g"),
    ("moving_mean", "running_mean", ""),  # BatchNorm of Keras
    ("moving_variance", "running_var", ""),
    ("mean", "running_mean", "var"),  # of Flax
    ("var", "running_var", "mean"),
    ("scale", "weight", "bias"),
    ("kernel", "weight", ""),  # linear layers of both: the matrix stands the other way round
    ("weight_g", "parametrizations.weight.original0", "weight_v"),  # weight_norm since 2.0
    ("weight_v", "parametrizations.weight.original1", "weight_g"),
    ("weight_orig", "parametrizations.weight.original", "weight_u"),  # spectral_norm since 1.9
    ("weight_u", "parametrizations.weight.0._u", "weight_orig"),
    ("weight_v", "parametrizations.weight.0._v", "weight_orig"),
    ("norm.1.weight", "norm1.weight", "conv.2.weight"),  # DenseNet of torchvision before 0.2
    ("norm.1.bias", "norm1.bias", "conv.2.weight"),
    ("norm.1.running_mean", "norm1.running_mean", "conv.2.weight"),
    ("norm.1.running_var", "norm1.running_var", "conv.2.weight"),
    ("conv.1.weight", "conv1.weight", "norm.1.weight"),
    ("norm.1.num_batches_tracked", "norm1.num_batches_tracked", "conv.2.weight"),
    ("norm.2.num_batches_tracked", "norm2.num_batches_tracked", "conv.2.weight"),
    ("norm.2.weight", "norm2.weight", "conv.2.weight"),
    ("norm.2.bias", "norm2.bias", "conv.2.weight"),
    ("norm.2.running_mean", "norm2.running_mean", "conv.2.weight"),
    ("norm.2.running_var", "norm2.running_var", "conv.2.weight"),
    ("conv.2.weight", "conv2.weight", "norm.1.weight"),
    ("lora_A.default.weight", "lora_A.weight", ""),  # PEFT in memory, and in its files
    ("lora_B.default.weight", "lora_B.weight", ""),
)
"""Ends of names that came to be others."""

QUANTIZED = ("int8", "uint8", "qint", "quint", "int4", "uint4", "bits", "float4")
"""Beginnings of the dtypes of matrices that are nothing without their scales."""

TURNED = ("kernel",)
"""Ends of the names of matrices that have their inputs first, where PyTorch has them last."""

ROLES = (
    (
        "q",
        "wq",
        "w_q",
        "to_q",
        "q_proj",
        "proj_q",
        "q_lin",
        "lin_q",
        "linear_q",
        "query",
        "query_proj",
    ),
    ("k", "wk", "w_k", "to_k", "k_proj", "proj_k", "k_lin", "lin_k", "linear_k", "key", "key_proj"),
    (
        "v",
        "wv",
        "w_v",
        "to_v",
        "v_proj",
        "proj_v",
        "v_lin",
        "lin_v",
        "linear_v",
        "value",
        "value_proj",
    ),
    ("wo", "w_o", "to_out", "o_proj", "out_proj", "out_lin", "proj_out", "linear_out", "proj"),
    ("gate", "gate_proj", "w1"),  # of SwiGLU, as Llama's first files have it
    ("up", "up_proj", "w3"),
    ("down", "down_proj", "w2"),
    (  # before the attention
        *("input_layernorm", "attention_norm", "attn_norm"),
        *("norm1", "ln_1", "ln1", "layer_norm1", "layernorm_before"),
    ),
    ("embed_tokens", "tok_embeddings", "word_embeddings", "wte"),
    ("lm_head",),
    (  # behind it
        *("post_attention_layernorm", "ffn_norm", "mlp_norm"),
        *("norm2", "ln_2", "ln2", "layer_norm2", "layernorm_after"),
    ),
)
"""Parts of names of layers that have equal shapes and stand side by side: which of them a name means."""

QKV, GATED = ("q", "k", "v"), ("gate", "up")
FUSED = {
    **dict.fromkeys(("in_proj_", "qkv.", "Wqkv.", "wqkv.", "to_qkv.", "attn_qkv.", "c_attn."), QKV),
    **dict.fromkeys(("qkv_proj.", "linear_qkv.", "query_key_value."), QKV),
    "gate_up_proj.": GATED,
}
"""Layers that are several in one, by the name with what is behind it, and the roles of their parts."""

LAID_OUT = (
    # layer, the layer behind it, what else may lie beside, the end of what is before, Conv1D
    ("in_proj_", "out_proj", ("bias_k", "bias_v"), "", False),  # torch.nn.MultiheadAttention
    (  # ViT, Swin, BEiT, DINOv2, SAM, MAE
        "qkv.",
        "proj",
        (
            *("q_norm", "k_norm", "q_bias", "v_bias", "logit_scale", "cpb_mlp"),
            *("relative_position_bias_table", "relative_position_index", "rel_pos_h", "rel_pos_w"),
        ),
        r"^(?!(?:.*\.)?stages\.)(?:.*\.)?(?:decoder_)?blocks\.(?:\d+\.){1,2}attn\.$",
        False,
    ),
    ("Wqkv.", "out_proj", ("rotary_emb",), "", False),  # flash-attention, MPT, DBRX
    ("Wqkv.", "Wo", ("rotary_emb",), "", False),  # ModernBERT
    ("qkv_proj.", "o_proj", ("q_norm", "k_norm"), r"\bself_attn\.$", False),  # Phi-3, vLLM
    ("c_attn.", "c_proj", ("bias", "masked_bias"), "", True),  # GPT-2
    ("gate_up_proj.", "down_proj", (), "", False),  # Phi-3, GLM, vLLM
)
"""Fused layers whose parts are known to lie one after another, in the order of their roles. The layers
beside tell whose they are. Of others it is not known: GPT-NeoX, Falcon and BLOOM (query_key_value), MaxViT
and LeViT (qkv) and InternLM2 (wqkv) have them head by head, CodeGen (qkv_proj) in another order, GPT-BigCode
(c_attn) either way; the audio part of Phi-4 has up before gate."""

COUNTERS = ("num_batches_tracked",)
"""Of BatchNorm since 0.4.1; nothing but `momentum=None` reads it."""

REMADE = (
    "position_ids",
    "inv_freq",
    "relative_position_index",
    "relative_coords_table",
    "attn_mask",
    "masked_bias",
    "_extra_state",
    "total_ops",  # thop
    "total_params",
)
"""Buffers that the model makes itself: some versions save them, others do not."""

POSITIONS = (
    "pos_embed",
    "pos_embedding",
    "position_embedding",
    "position_embeddings",
    "positional_embedding",
    "position_embeddings.weight",
    "wpe.weight",
    "relative_position_bias_table",
)
"""Ends of the names of tables with a row for each position."""

VOCABULARIES = ("embed", "embedding", "embeddings", "embed_tokens", "wte", "lm_head", "decoder")
"""Layers with a row for each token, by a part of their names."""
