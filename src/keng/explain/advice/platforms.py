"""Patterns that recognise the operating system and the hardware in the text around an error."""

from __future__ import annotations

import re

MAC = re.compile(
    r"/Users/|/opt/homebrew\b|\b[Mm]ac ?OS\b|\bMac(?:[Bb]ook)?\b|\bApple [Ss]ilicon\b|"
    r"\bM[1-5] (?:Pro|Max|Ultra|chip|Mac)\b"
)
WSL = re.compile(r"\bWSL ?2?\b|/mnt/c/|microsoft-standard")
WINDOWS = re.compile(r"(?<!\w)[A-Za-z]:\\|\bWindows\b|\bWinError\b")
JETSON = re.compile(r"\b[Jj]etson\b|\bJetPack\b|\bL4T\b|\b[Tt]egra\b|\baarch64\b")
AMDS = re.compile(
    r"\bROCm\b|\brocm\d|\bAMD\b(?! (?:EPYC|Ryzen|Threadripper))|\bRadeon\b|\bRX ?[5-9]\d00\b|\bgfx\d{3}"
)
"""A card of AMD's; its processors are none."""
