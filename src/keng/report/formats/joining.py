"""Outputs of the parts of a check: what each says of its part, and several as one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

SHARD = "keng/shard"

Record = dict[str, Any]


def mark_json(text: str, shard: Record) -> str:
    """A JSON output with a key `shard`."""
    return json.dumps({**json.loads(text), "shard": shard}, indent=2) + "\n"


def mark_sarif(text: str, shard: Record) -> str:
    """A SARIF log with the part in the properties of its run."""
    log = json.loads(text)
    log["runs"][0]["properties"] = {SHARD: shard}
    return json.dumps(log, indent=2) + "\n"


def join_sarif(logs: Sequence[Record]) -> Record:
    """One log with one run, as of all parts together: rules by name, results in the order of parts."""
    runs = [log["runs"][0] for log in logs]
    rules = {rule["id"]: rule for run in runs for rule in _driver(run)["rules"]}
    names = sorted(rules)
    results = [result for run in runs for result in run["results"]]
    once = {json.dumps({**r, "ruleIndex": 0}, sort_keys=True): r for r in results}
    invocations = [run["invocations"][0] for run in runs]
    joined = {
        "tool": {"driver": {**_driver(runs[0]), "rules": [rules[name] for name in names]}},
        "columnKind": runs[0]["columnKind"],
        "invocations": [
            {
                "executionSuccessful": all(each["executionSuccessful"] for each in invocations),
                "toolExecutionNotifications": [
                    told for each in invocations for told in each["toolExecutionNotifications"]
                ],
            }
        ],
        "results": [{**r, "ruleIndex": names.index(r["ruleId"])} for r in once.values()],
    }
    return {"$schema": logs[0]["$schema"], "version": logs[0]["version"], "runs": [joined]}


def _driver(run: Record) -> Record:
    driver: Record = run["tool"]["driver"]
    return driver
