"""The MCP server: keng's commands as tools, the pages of pitfalls as resources.

Each tool is one command of the command line with `--json`. All only read, but `run` and `probe` execute
the user's code.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import ToolAnnotations

from keng import pitfalls, recipes
from keng._util.version import VERSION
from keng.agents import child
from keng.agents.findings import Record, cost, rolled_up, within

INSTRUCTIONS = """keng finds, explains and fixes the pitfalls of PyTorch. Check code after writing or
changing it (check), run a short part of a training with it (run, with few steps), and give it any error
text (explain) before guessing. A finding with sure=true is meant to be right; verify one with sure=false or
`likely`. A fix with safety=unsafe may change results."""
BUDGET = 4000
"""Tokens that an answer takes at most, roughly."""
TAIL = 4000
"""Characters of a program's output that are returned, from its end."""
STDIN = "stdin.py"
FEW = 10

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
EXECUTES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)


def server() -> MCPServer:
    made = MCPServer("keng", version=VERSION, instructions=INSTRUCTIONS, log_level="WARNING")
    for reads in (check, explain, ckpt, env, recipe, search):
        made.tool(annotations=READS)(reads)
    for executes in (run, probe):
        made.tool(annotations=EXECUTES)(executes)
    made.resource("keng://pit/{name}", mime_type="text/markdown")(page)
    return made


def check(
    paths: list[str] | None = None,
    code: str | None = None,
    changed_only: bool = False,
    suspicious: bool = False,
    budget: int = BUDGET,
    since: list[str] | None = None,
) -> Record:
    """Find pitfalls in Python and notebook source: files or folders (`paths`, the current folder by
    default), a program as text (`code`), or only files changed since the last commit
    (`changed_only`). `suspicious` adds uncertain findings. With `since`, the fingerprints of an
    earlier answer, only what is new is listed, and which findings are fixed. `budget` limits the
    answer, in tokens."""
    options = ["--json", *(["--suspicious"] if suspicious else [])]
    if code is not None:
        found = _answer(["check", *options, "--stdin-filename", STDIN, "-"], code)
        return rolled_up(found, budget, since, {STDIN: code})
    chosen = paths or ["."]
    if changed_only:
        chosen = _changed(chosen)
    if not chosen:
        return rolled_up({"findings": [], "blind": []}, budget, since, {})
    return rolled_up(_answer(["check", *options, "--", *chosen]), budget, since, {})


def explain(text: str, more: bool = False) -> Record:
    """Explain an error text (a traceback, a log, a single message), or print the page of a pitfall
    by its name. `more` adds the page of the likeliest cause."""
    if pitfalls.is_known(text.strip()):
        return {"page": page(text.strip())}
    found: Record = _answer(["explain", "--json", "-"], text)
    if more and found.get("diagnoses"):
        found["page"] = page(found["diagnoses"][0]["pitfall"])
    return found


def run(
    command: list[str], steps: int | None = 20, timeout: float = 300.0, budget: int = BUDGET
) -> Record:
    """Run a training program under keng and report its silent mistakes: `command` is a script with
    its arguments, as ["train.py", "--epochs", "1"], or ["-m", "pkg.train"]. It ends after `steps`
    optimizer steps (null: at its own end) or `timeout` seconds."""
    with TemporaryDirectory(prefix="keng-agent-") as folder:
        report = Path(folder, "findings.json")
        limit = ["--steps", str(steps)] if steps is not None else []
        ended = child.run(["run", "--json", str(report), *limit, *command], timeout)
        text = report.read_text("utf-8") if report.exists() else '{"findings": [], "blind": []}'
    told = rolled_up(json.loads(text), budget, None, {})
    how = {
        "exit_code": ended.code,
        "timed_out": ended.timed_out,
        "output_tail": ended.output[-TAIL:],
    }
    return {**how, **told}


def probe(model: str, batch: str, loss: str | None = None) -> Record:
    """Test a model on one batch by changes that must not matter (one row, later tokens, padding):
    `model` and `batch` are `pkg.module:name` of an object or of a function that makes it, `loss` of
    a function of output and targets."""
    options = ["--loss", loss] if loss else []
    found: Record = _answer(["probe", model, "--batch", batch, "--json", *options])
    return found


def ckpt(path: str, against: str | None = None, budget: int = BUDGET) -> Record:
    """Inspect a checkpoint without running anything in it: what it holds, and whether loading it
    would run code. With `against`, how the two differ."""
    if against is not None:
        differences: Record = _answer(["ckpt", "diff", "--json", path, against])
        return differences
    found: Record = {"scan": _answer(["ckpt", "scan", "--json", path])}
    shown = _answer(["ckpt", "show", "--json", path])
    tensors = shown.pop("tensors", [])
    found |= shown
    found["tensors"] = list(within(tensors, budget - cost(found)))
    return {**found, "tensors_left_out": len(tensors) - len(found["tensors"])}


def env(error: str | None = None) -> Record:
    """Check this machine for what breaks PyTorch: driver, libraries, limits, locks. `error` limits
    it to the causes of an error text."""
    options = ["--for", error] if error else []
    found: Record = _answer(["env", "--json", *options])
    return found


def recipe(name: str | None = None) -> Record:
    """List the training programs to start from, or return the text of one."""
    if name is None:
        return {"recipes": _answer(["recipe", "--json"])}
    if name not in recipes.names():
        raise ToolError(f"no recipe {name!r}; there are {', '.join(recipes.names())}")
    return {"name": name, "text": recipes.recipe(name).text}


def search(query: str) -> Record:
    """Search the pitfalls by symptom, API or error text, in English or Chinese."""
    found = _answer(["pits", "--json", query])
    return {"pitfalls": found[:FEW], "more": max(0, len(found) - FEW)}


def page(name: str) -> str:
    """The page of a pitfall: what happens, why, what to do, a bad and a good program."""
    if not pitfalls.is_known(name):
        raise ResourceNotFoundError(f"no pitfall {name!r}")
    return pitfalls.folder(pitfalls.pitfall(name).name).joinpath("README.md").read_text("utf-8")


def _answer(args: list[str], stdin: str = "") -> Any:
    try:
        return child.answer(args, stdin)
    except child.Failed as failed:
        raise ToolError(str(failed)) from None


def _changed(paths: list[str]) -> list[str]:
    """The files below `paths` that differ from the last commit, and new ones that git does not
    ignore."""
    listings = (
        ["diff", "--name-only", "--relative", "HEAD"],
        ["ls-files", "--others", "--exclude-standard"],
    )
    files: list[str] = []
    for listing in listings:
        done = subprocess.run(
            ["git", *listing, "-z", "--", *paths],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            raise ToolError(f"changed_only needs a git repository: {done.stderr.strip()}")
        files += filter(None, done.stdout.split("\0"))
    return [
        file
        for file in dict.fromkeys(files)
        if file.endswith((".py", ".ipynb")) and Path(file).exists()
    ]
