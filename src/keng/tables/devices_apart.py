"""In which words PyTorch tells of tensors on two devices."""

from __future__ import annotations

NAMED = (
    r"Expected all tensors to be on the same device, but found at least two devices, (?P<one>[\w:]+) and "
    r"(?P<other>[\w:]+)!?(?: \(when checking argument for argument (?P<argument>\w+) in method)?",
    r"Expected all tensors to be on the same device, but got (?P<argument>\w+) is on (?P<other>[\w:]+), "
    r"different from other tensors on (?P<one>[\w:]+)",
    r"Unhandled FakeTensor Device Propagation for \S{1,80}, found two different devices (?P<one>[\w:]+), "
    r"(?P<other>[\w:]+)",
    r"Tensor on device (?P<other>[\w:]+) is not on the expected device (?P<one>[\w:]+)!",
    r"expected '(?P<argument>\w+)' to be a (?P<one>\w+) tensor, but got tensor on (?P<other>[\w:]+)",
    r"[Aa]ll input tensors must be on the same device\. Received (?P<one>[\w:]+) and (?P<other>[\w:]+)",
    r"Expected object of (?:device type|backend) (?P<one>\w+) but got (?:device type|backend) (?P<other>\w+) "
    r"for (?:argument #\d+ '(?P<argument>\w+)'|sequence element)",
    r"Expected tensor to have (?P<one>\w+) Backend, but got tensor with (?P<other>\w+) Backend",
    r"expected (?P<one>CPU|CUDA)(?: tensor)? \(got (?P<other>CPU|CUDA)(?: tensor)?\)",
    r"expected device (?P<one>[\w:]+)(?: and dtype \w+)? but got device (?!(?P=one) )(?P<other>[\w:]+)",
    r"Input and (?P<argument>hidden|parameter) tensors are not at the same device, found input tensor at "
    r"(?P<one>[\w:]+) and \w+ tensor at (?P<other>[\w:]+)",
    r"(?:input a|but condition) is on (?P<one>[\w:]+) and (?:input b is|x and y are) on (?P<other>[\w:]+)",
    r"expected self and (?P<argument>\w+) to be on the same device, but got \w+ on (?P<other>[\w:]+) "
    r"and self on (?P<one>[\w:]+)",
    r"indices should be either on \w+ or on the same device as the indexed tensor \((?P<one>[\w:]+)",
    r"Backward\w{0,2} returned an invalid gradient at index \d+ - expected device (?P<one>[\w:]{2,12}) "
    r"but got (?P<other>[\w:]{2,12})",
    r"expected type TensorOptions\(dtype=[\w :]{3,20}, device=(?P<one>[\w:]+), .{1,160}? but got "
    r"TensorOptions\(dtype=[\w :]{3,20}, device=(?!(?P=one),)(?P<other>[\w:]+)",
)
"""What names both devices, `one` and `other`, or one of them, and mostly the `argument` on `other`."""

OTHERS = (
    r"query, key, and value to have the same device type|on different (?P<cards>GPUs)|"
    r"THCTensor_\((?P<check>checkGPU)\)|two parameters on (?P<both>different devices)|"
    r"must be on the current device|same device (?:as tensor|but got self)|"
    r"must (?:all )?be on the same device|is on CPU, but expected (?:it|them) to be on GPU|"
    r"Passed CPU tensor to MPS op|is not an XLA tensor|Tensor for argument \w+ is on [\w:]+ but expected on"
)
"""What names none; `cards`, `check` and `both` tell of two cards."""
