"""What is in the Transformers of today for what older code asks it."""

from __future__ import annotations

INSTEAD = {
    "batch_encode_plus": "tokenizer(texts)",
    "encode_plus": "tokenizer(text)",
    "prepare_for_model": "tokenizer(text)",
    "as_target_tokenizer": "tokenizer(text_target=...)",
    "additional_special_tokens": "extra_special_tokens",
}
ARGUMENTS = {
    "load_in_4bit": "quantization_config=BitsAndBytesConfig(load_in_4bit=True)",
    "load_in_8bit": "quantization_config=BitsAndBytesConfig(load_in_8bit=True)",
    "use_flash_attention_2": "attn_implementation='flash_attention_2'",
    "use_auth_token": "token=",
    "resume_download": "",
}
BEFORE = {">=": "<", ">": "<="}
"""What a version has to be, of a bound from which on it does not fit."""
LATER_TASKS = ("image-text-to-text", "any-to-any", "keypoint-matching", "image-feature-extraction")
"""Of pipeline(), which older ones do not know."""
