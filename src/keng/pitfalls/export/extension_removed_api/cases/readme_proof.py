from pathlib import Path

import torch

headers = Path(torch.__file__).parent / "include"
assert "<THC/THC.h>" in source and not (headers / "THC").exists()
assert "  AT_CHECK" in source
assert not any(b"AT_CHECK" in h.read_bytes() for h in (headers / "c10" / "util").glob("*.h"))
