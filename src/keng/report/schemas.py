"""JSON Schemas (draft 2020-12) of the configuration and of what commands print with `--json`.

An object lists every key, all required, unless it says otherwise: tests validate real outputs against it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from keng.model import SEVERITIES
from keng.run.comparison.results import WAYS

Schema: TypeAlias = "dict[str, Any]"

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FINITE: Schema = {"type": ["number", "string"]}
"""A number; NaN and infinity are texts."""
FLAG: Schema = {"type": "boolean"}
ANY: Schema = {}


def listed(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def by_name(of: Schema) -> Schema:
    """An object whose keys are names that keng does not choose."""
    return {"type": "object", "additionalProperties": of}


def one_of(*words: str) -> Schema:
    return {"enum": list(words)}


def or_null(of: Schema) -> Schema:
    return {"anyOf": [of, {"type": "null"}]}


def record(_optional: Schema | None = None, /, **keys: Schema) -> Schema:
    """An object with these keys, and those of `_optional` where there are any."""
    every = {**keys, **(_optional or {})}
    required = {"required": list(keys)} if keys else {}
    return {"type": "object", "properties": every, **required, "additionalProperties": False}


TEXTS = listed(TEXT)
PLACE = {"path": or_null(TEXT), "line": or_null(COUNT)}
SHAPE = or_null(listed(COUNT))
SEVERITY = one_of(*SEVERITIES)
MESSAGE = {"says": TEXT, "message_id": or_null(TEXT), "values": by_name(ANY)}
FIX = or_null(
    record(
        title=TEXT,
        safety=one_of("safe", "unsafe", "shown"),
        edits=listed(record(start=COUNT, end=COUNT, text=TEXT)),
        removes=TEXTS,
    )
)
FINDING = record(
    {"fingerprint": TEXT},
    pitfall=TEXT,
    group=TEXT,
    severity=SEVERITY,
    sure=FLAG,
    origin=one_of("source", "run", "message", "file", "machine", "ranks"),
    **PLACE,
    column=or_null(COUNT),
    end_line=or_null(COUNT),
    end_column=or_null(COUNT),
    **MESSAGE,
    evidence=by_name(ANY),
    advice=or_null(TEXT),
    fix=FIX,
    times=COUNT,
    ranks=listed(COUNT),
)
FINDINGS = {"findings": listed(FINDING), "blind": listed(record(path=TEXT, why=TEXT))}
TRACED = record(name=TEXT, value=or_null(TEXT), text=or_null(TEXT), how=or_null(TEXT), **PLACE)
GUARDS = listed(record(text=TEXT, holds=FLAG))
REASON = record(
    kind=TEXT,
    raised_by=TEXT,
    **PLACE,
    about=TEXT,
    guards=GUARDS,
    checked_only_if=or_null(TEXT),
    values=listed(TRACED),
    accepted=listed(record(bound=TEXT, what=TEXT, limit=TEXT, near=TEXTS)),
    documented=or_null(record(parameter=TEXT, function=TEXT, sentence=TEXT)),
    sure=FLAG,
    live=FLAG,
)
DIAGNOSIS = record(
    pitfall=TEXT,
    confidence=ANY,
    **MESSAGE,
    why=TEXTS,
    evidence=by_name(ANY),
    advice=or_null(TEXT),
    **PLACE,
    fix=FIX,
)
SHAPES = listed(record(name=TEXT, shape=TEXT))
STEP = record(**PLACE, made=SHAPES, note=or_null(TEXT))
TRAIL = record(
    function=TEXT,
    path=TEXT,
    inputs=SHAPES,
    steps=listed(STEP),
    failing=STEP,
    operands=TEXTS,
    passes=SHAPES,
)
EXPLANATION = {
    "known": FLAG,
    "pytorch": FLAG,
    "unclear": FLAG,
    "error": TEXT,
    "kind": or_null(TEXT),
    "owner": or_null(TEXT),
    "place": record(**PLACE, text=or_null(TEXT)),
    "raised": record(**PLACE),
    "reason": or_null(REASON),
    "guards": GUARDS,
    "arguments": listed(TRACED),
    "shapes": listed(ANY),
    "versions": by_name(TEXT),
    "trail": or_null(TRAIL),
    "written": listed(record(text=TEXT, **PLACE)),
    "tried": listed(TEXT),
    "note": or_null(TEXT),
    "diagnoses": listed(DIAGNOSIS),
}
PITFALL = {
    "name": TEXT,
    "group": TEXT,
    "severity": SEVERITY,
    "title": TEXT,
    "surfaces": TEXTS,
    "aliases": TEXTS,
}


SHARD = record(command=one_of("check", "ckpt scan"), index=COUNT, of=COUNT, version=TEXT)
"""Which part of the files an output is of, where it is of one: `keng merge` joins them."""


def check() -> Schema:
    """`hints` counts those that are not among the findings."""
    return record({"shard": SHARD}, **FINDINGS, hints=COUNT)


def run() -> Schema:
    """`comparisons` only with `--compare`."""
    return record(
        {"comparisons": listed(comparison())}, **FINDINGS, error=or_null(record(**EXPLANATION))
    )


def comparison() -> Schema:
    difference = record(
        module=TEXT,
        kind=TEXT,
        ours=FINITE,
        other=FINITE,
        limit=FINITE,
        where=record(**PLACE),
        operation=TEXT,
        before=FLAG,
    )
    return record(
        way=one_of(*WAYS),
        step=COUNT,
        model=TEXT,
        values=COUNT,
        refused=or_null(TEXT),
        difference=or_null(difference),
    )


def runs() -> Schema:
    """With `compare`, the properties in which two runs differ."""
    curve = record(name=TEXT, label=TEXT, last=FINITE)
    kept = record(
        name=TEXT,
        program=TEXT,
        begun=TEXT,
        steps=COUNT,
        seconds=NUMBER,
        ending=TEXT,
        about=by_name(TEXTS),
        last=listed(curve),
        found=TEXTS,
    )
    return {"anyOf": [listed(kept), listed(record(what=TEXT, first=TEXT, second=TEXT))]}


def explain() -> Schema:
    rest = record(line=COUNT, times=COUNT, **EXPLANATION)
    return record({"path": TEXT}, **EXPLANATION, machine=listed(FINDING), log=listed(rest))


def page() -> Schema:
    return record(**PITFALL, why=TEXT, cure=TEXT)


def pits() -> Schema:
    return listed(record(**PITFALL))


def env() -> Schema:
    row = record(pitfall=TEXT, check=TEXT, verdict=TEXT, looked=ANY)
    return record(**FINDINGS, checks=listed(row))


def env_versions() -> Schema:
    return by_name(TEXT)


def logs() -> Schema:
    row = record(name=TEXT, points=COUNT, first=NUMBER, low=NUMBER, high=NUMBER, last=NUMBER)
    return record(**FINDINGS, scalars=listed(row))


def recipe() -> Schema:
    return listed(record(name=TEXT, title=TEXT, avoids=TEXTS))


def data() -> Schema:
    finding = record(
        name=TEXT,
        severity=SEVERITY,
        says=TEXT,
        message_id=TEXT,
        values=by_name(ANY),
        indices=listed(COUNT),
        sure=FLAG,
    )
    return record(
        length=or_null(COUNT),
        read=COUNT,
        failed=COUNT,
        parts=listed({"type": "object"}),
        findings=listed(finding),
        seconds=NUMBER,
        nbytes=COUNT,
        slowest=listed(listed(NUMBER)),
        interrupted=FLAG,
        missing=listed(listed(COUNT)),
    )


def ckpt_diff() -> Schema:
    pairs = by_name(listed(TEXT))
    return record(
        only_first=TEXTS,
        only_second=TEXTS,
        renamed=by_name(TEXT),
        shapes=pairs,
        dtypes=pairs,
        values=TEXTS,
        plain=pairs,
        metadata=pairs,
        unread=TEXTS,
        same=COUNT,
    )


def ckpt_verify() -> Schema:
    return listed(
        record(
            path=TEXT,
            format=TEXT,
            whole=FLAG,
            broken=TEXTS,
            tricks=TEXTS,
            readable=COUNT,
            tensors=COUNT,
            findings=listed(FINDING),
        )
    )


def ckpt_scan() -> Schema:
    """With `--shard`, an object with a part of the files."""
    files = listed(
        record(
            path=TEXT,
            verdict=TEXT,
            dangerous=TEXTS,
            unknown=TEXTS,
            calls=TEXTS,
            tricks=TEXTS,
            broken=TEXTS,
            coverage=by_name(ANY),
            findings=listed(FINDING),
        )
    )
    return {"anyOf": [files, record(files=files, shard=SHARD)]}


def ckpt_show() -> Schema:
    tensor = record(
        name=TEXT,
        dtype=TEXT,
        shape=listed(COUNT),
        stride=listed(COUNT),
        offset=COUNT,
        nbytes=COUNT,
        kind=TEXT,
        requires_grad=ANY,
        storage=ANY,
        device=ANY,
        file=or_null(TEXT),
        start=or_null(COUNT),
        crc=or_null(COUNT),
    )
    return record(
        path=TEXT,
        format=TEXT,
        nbytes=COUNT,
        files=TEXTS,
        facts=by_name(ANY),
        metadata=by_name(ANY),
        tensors=listed(tensor),
        values=by_name(ANY),
        imports=by_name(COUNT),
        troubles=listed(record(kind=TEXT, says=TEXT)),
        stats=by_name({"type": "object"}),
        findings=listed(FINDING),
    )


def ckpt_match() -> Schema:
    move = record(
        source=TEXT,
        target=TEXT,
        how=TEXT,
        shape=SHAPE,
        rows=listed(COUNT),
        more=TEXTS,
        turned=FLAG,
    )
    unmatched = listed(record(name=TEXT, why=TEXT, file=SHAPE, model=SHAPE))
    rule = record(kind=TEXT, old=TEXT, new=TEXT, times=COUNT, sure=FLAG)
    return record(
        moves=listed(move),
        missing=unmatched,
        unused=unmatched,
        rules=listed(rule),
        nesting=TEXTS,
        rivals=TEXTS,
        variant=TEXT,
    )


def ckpt_fix() -> Schema:
    return record(plan=ckpt_match(), out=TEXT, left_out=by_name(TEXT))


def ckpt_convert() -> Schema:
    return record(out=TEXT, left_out=by_name(TEXT), overflow=by_name(COUNT))


def statistics() -> Schema:
    return listed(record(pitfall=TEXT, count=COUNT))


def probe() -> Schema:
    finding = record(
        name=TEXT,
        family=TEXT,
        confidence=TEXT,
        says=TEXT,
        probes=TEXTS,
        **PLACE,
    )
    return record(
        findings=listed(finding),
        notes=listed(finding),
        held=TEXTS,
        skipped=by_name(TEXT),
        seconds=NUMBER,
    )


def run_twice() -> Schema:
    operation = record(
        name=TEXT,
        given=COUNT,
        made=COUNT,
        what=TEXT,
        module=TEXT,
        path=TEXT,
        line=COUNT,
        step=COUNT,
    )
    first = record(operation=COUNT, first=or_null(operation), second=or_null(operation))
    return record(differs=or_null(first))


def tune_loader() -> Schema:
    return record(
        best={"type": "object"},
        bound=ANY,
        shares=by_name(NUMBER),
        batch_size=COUNT,
        batch_bytes=COUNT,
        shared_bytes=or_null(COUNT),
        measures=listed({"type": "object"}),
        dominated=TEXTS,
        too_big=TEXTS,
        interrupted=FLAG,
        code=TEXT,
    )


def configuration() -> Schema:
    """The table `[tool.keng]`, whose keys are all optional."""
    names = by_name(TEXTS)
    keys: Schema = {
        **dict.fromkeys(("select", "ignore", "extend-select", "exclude"), TEXTS),
        **dict.fromkeys(("fixable", "unfixable", "packs"), TEXTS),
        **dict.fromkeys(("torch", "baseline", "extend", "required-version"), TEXT),
        "per-file-ignores": names,
        "suspicious": FLAG,
        "hints": FLAG,
        "lang": one_of("en", "zh"),
        "output-format": TEXT,
        "fail-on": TEXT,
        "severity": by_name(SEVERITY),
    }
    return record(keys)


SCHEMAS: dict[str, Callable[[], Schema]] = {
    "config": configuration,
    "check": check,
    "check-statistics": statistics,
    "run": run,
    "run-twice": run_twice,
    "runs": runs,
    "probe": probe,
    "explain": explain,
    "page": page,
    "pits": pits,
    "env": env,
    "env-versions": env_versions,
    "logs": logs,
    "data": data,
    "tune-loader": tune_loader,
    "recipe": recipe,
    "ckpt-show": ckpt_show,
    "ckpt-scan": ckpt_scan,
    "ckpt-diff": ckpt_diff,
    "ckpt-verify": ckpt_verify,
    "ckpt-match": ckpt_match,
    "ckpt-fix": ckpt_fix,
    "ckpt-convert": ckpt_convert,
}


def schema(name: str) -> Schema:
    """Raises KeyError for a name that has none."""
    return {"$schema": DRAFT, "title": f"keng {name}", **SCHEMAS[name]()}
