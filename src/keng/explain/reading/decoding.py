"""The bytes of a log as text: UTF-8, the UTF-16 of PowerShell, and the GBK of Chinese Windows."""

from __future__ import annotations

import re

UTF16 = (b"\xff\xfe", b"\xfe\xff")
BROKEN = "\ufffd"
OTHERS = re.compile(f"[^\0-\x7f{BROKEN}]")
CHINESE = re.compile(
    "[\0-\x7f·—‘’“”…\u2500-\u259f\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]*", re.DOTALL
)


def decoded(data: bytes) -> str:
    if data.startswith(UTF16):
        return data.decode("utf-16", "replace")
    text = data.decode("utf-8", "replace")
    if BROKEN not in text:
        return text
    lines = zip(text.split("\n"), data.split(b"\n"), strict=True)
    return "\n".join(_in_gbk(line, written) if BROKEN in line else line for line, written in lines)


def _in_gbk(line: str, written: bytes) -> str:
    """As GBK, where that gives nothing but Chinese, and UTF-8 little else than what it cannot read."""
    if line.count(BROKEN) <= len(OTHERS.findall(line)):
        return line
    read = written.decode("gb18030", "replace")
    return read if CHINESE.fullmatch(read) else line
