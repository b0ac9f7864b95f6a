from safetensors.torch import load_file

assert not any("score" in name for name in load_file(f"{folder}/adapter_model.safetensors"))
