"""llms.txt: the site in one page of links, for programs that read it (https://llmstxt.org)."""

from __future__ import annotations

from itertools import groupby

from keng import pitfalls

HEAD = """# keng

> keng finds, explains and fixes the pitfalls of PyTorch: in source code (`keng check`), in a running
> program (`keng run`), in an error message (`keng explain`), in checkpoint files (`keng ckpt`) and on
> the machine (`keng env`).

Every command takes `--json`. `keng mcp` serves the same to coding agents, and `keng skill install` sets it
up. `keng explain NAME` prints a page of the list below. Verify findings that are marked not sure, and
diagnoses below `certain`, before you change code.

## Commands

- [keng check](check/): find pitfalls in source files and notebooks, and fix them
- [keng run](run/): run a program and report what goes wrong in it
- [keng explain](explain/): explain an error message, a traceback or a log
- [keng ckpt](checkpoints/): show, compare, convert, repair and scan checkpoints
- [keng env](machine/): check driver, libraries and limits of the machine
- [Editors](editors/): VS Code, Neovim and others
- [In CI](ci/): GitHub, GitLab, pre-commit
- [Recipes](recipes/): whole programs to begin with
"""


def overview() -> str:
    lines = [HEAD]
    for group, members in groupby(pitfalls.every(), key=lambda each: each.group):
        lines += [f"## Pitfalls: {group}", ""]
        lines += [f"- [{each.name}](pitfalls/{each.name}/): {each.title}" for each in members]
        lines.append("")
    return "\n".join(lines)
