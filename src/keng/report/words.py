"""The report's own words: English here, Chinese beside."""

from __future__ import annotations

LANGUAGES = ("en", "zh")

WORDS: dict[str, tuple[str, ...]] = {
    # key: for one, for more
    "error": ("error",),
    "warning": ("warning",),
    "hint": ("hint",),
    "suspicious": ("not sure",),
    "fix": ("fix",),
    "means": ("that is",),
    "cure": ("what to do",),
    "evidence": ("seen",),
    "first": ("first at {when}", "first at {when}, {n} times"),
    "on_ranks": ("on rank {ranks}", "on ranks {ranks}"),
    "batches": ("{ranks} ranks with {each} samples each: {together} samples a step",),
    "stands_still": ("{seconds} s without progress",),
    "rank": ("rank {ranks}", "ranks {ranks}"),
    "last_calls": ("the last collectives of each rank",),
    "waits_in": ("waits in {call} at {where}",),
    "runs": ("runs {where}",),
    "loads": ("waits for its DataLoader at {where}",),
    "no_word": ("goes on, or cannot be heard",),
    "more": ("more",),
    "cut": ("... 1 more line", "... {n} more lines"),
    "unsafe": ("may change what the program does",),
    "shown": ("to be made by hand",),
    "errors": ("1 error", "{n} errors"),
    "warnings": ("1 warning", "{n} warnings"),
    "hints": ("1 hint", "{n} hints"),
    "found": ("{counts} in {files}",),
    "files": ("1 file", "{n} files"),
    "slow": ("took {seconds} s, {most} of them for {name}",),
    "clean": ("nothing found in {files}",),
    "ran": ("keng: {counts} in this run",),
    "still_running": ("still running when this was written",),
    "own_share": ("keng took {share}",),
    "verdicts": ("Findings",),
    "no_verdicts": ("nothing found",),
    "curves": ("Curves",),
    "curve_loss": ("Loss",),
    "curve_rate": ("Learning rate",),
    "curve_norm": ("Gradient norm",),
    "curve_memory": ("Memory, MB",),
    "curve_seconds": ("Time of a step, ms",),
    "curve_update": (
        "Update ratio by layer: how far a step moves the weights, against their size",
    ),
    "part_data": ("data",),
    "part_forward": ("forward",),
    "part_backward": ("backward",),
    "part_optimizer": ("optimizer",),
    "part_keng": ("keng",),
    "part_other": ("other",),
    "time_split": ("Where the time of all steps went",),
    "layer": ("layer",),
    "last_value": ("last",),
    "lowest": ("lowest",),
    "highest": ("highest",),
    "page_at": ("keng: the page of this run is {file}",),
    "kept_step": ("keng: the step is kept: `keng replay {folder}`",),
    "replayed": ("keng: step {step} again: {why}",),
    "changed": ("keng: {file} reads otherwise than it did then",),
    "not_kept": ("keng: values of the type {kind} could not be kept",),
    "sync_cuda": ("CUDA_LAUNCH_BLOCKING=1: every kernel is waited for",),
    "twice_same": ("keng: run twice, {steps}: all {n} operations made the same",),
    "twice_made": (
        "the first tensor that differs is made here, by {name} ({what}{module}); what went in was the same",
    ),
    "twice_given": (
        "the first tensor that differs goes in here, to {name} (makes {what}{module}), from outside of torch",
    ),
    "twice_parts": (
        "the runs part here: only one of them calls {name} ({what}{module}) as operation {n}",
    ),
    "twice_module": (" in {module}",),
    "twice_step": (" (step {step})",),
    "steps": ("1 step", "{n} steps"),
    "took": ("keng: watched {steps}, which took {share} of {seconds} s",),
    "fixable": ("1 fix: `keng check --fix`", "{n} fixes: `keng check --fix`"),
    "unsafe_fixable": (
        "1 fix that may change what the program does: `keng check --fix --unsafe-fixes`",
        "{n} fixes that may change what the program does: `keng check --fix --unsafe-fixes`",
    ),
    "fixed": ("1 fixed in {files}", "{n} fixed in {files}"),
    "would_fix": ("1 would be fixed in {files}", "{n} would be fixed in {files}"),
    "ignored": ("1 ignored in {files}", "{n} ignored in {files}"),
    "would_ignore": ("1 would be ignored in {files}", "{n} would be ignored in {files}"),
    "known": (
        "1 finding of the baseline is not shown",
        "{n} findings of the baseline are not shown",
    ),
    "baseline": ("1 finding written to {file}", "{n} findings written to {file}"),
    "silence": ("Ignore {name} here",),
    "fix_all": ("Make all safe fixes of keng",),
    "watching": ("watching {files}; Ctrl-C ends it",),
    "unlooked": ("not looked at",),
    "why": ("why",),
    "also": ("or",),
    "certain": ("certain",),
    "likely": ("likely",),
    "possible": ("possible",),
    "not_known": ("not known: keng knows no cause of this error",),
    "not_pytorch": ("not a PyTorch problem",),
    "no_error": ("no error in this text",),
    "rest_of_log": ("also in this log:",),
    "log_line": ("line {line}, once", "line {line}, {n} times"),
    "sources": ("sources",),
    "met": ("met by",),
    "Bad": ("Bad",),
    "Good": ("Good",),
    "Fine": ("Fine",),
    "Proof": ("Proof",),
    "Message": ("Message",),
    "broken": ("broken",),
    "trick": ("trick",),
    "note": ("note",),
    "calls": ("would call",),
    "dangerous": ("known to act",),
    "unknown": ("not known",),
    "holds": ("holds",),
    "tensors": ("1 tensor", "{n} tensors"),
    "numbers": ("1 number", "{n} numbers"),
    "storages": ("1 storage", "{n} storages"),
    "all_tagged": ("all tagged {device}",),
    "tagged": ("{n} tagged {device}",),
    "shares": ("shares memory with {name}",),
    "no_bytes": ("no bytes in the file",),
    "by_module": ("by module",),
    "whole": ("{path}: whole",),
    "read_back": ("{n} of {all} tensors can be read",),
    "salvaged": ("{n} of {all} tensors written to {file}",),
    "lost": ("lost",),
    "Machine": ("Machine",),
    "Sound": ("Sound machine",),
    "checks": ("1 check", "{n} checks"),
    "sound": ("sound",),
    "looked": ("looked at",),
    "here": ("on this machine",),
    "removed": ("1 file removed", "{n} files removed"),
    "kept": ("nothing removed",),
    "ask": ("remove this file? [y/N] ", "remove these {n} files? [y/N] "),
    "removable": ("1 file may go: `keng env --fix`", "{n} files may go: `keng env --fix`"),
    "not_asked": ("no check of this machine bears on this error",),
    "filled": ("{n} of {all} entries of the model are filled as they were saved",),
    "inside": ("the weights are in",),
    "unwrapped": ("`{old}` goes from the names, wherever it stands ({n})",),
    "wrapped": ("`{new}` comes into the names ({n})",),
    "cut_off": ("`{old}` goes from the beginning ({n})",),
    "put_before": ("`{new}` comes to the beginning ({n})",),
    "renamed": ("`{old}` becomes `{new}` ({n})",),
    "by_shape": (", by the shapes alone",),
    "how_reshape": ("reshaped",),
    "how_transpose": ("transposed",),
    "how_channels": ("other input channels: the mean of those it had, by --code",),
    "how_rows": ("another vocabulary: the rows that both have, by --code",),
    "how_interpolate": ("positions of another length: interpolated, by --code",),
    "why_shape": ("another shape",),
    "why_head": ("another number of outputs: the model keeps its own",),
    "why_variant": ("of another width",),
    "why_sharded": ("saved empty by ZeRO-3: `keng ckpt convert` on the whole folder",),
    "why_counter": ("counters that begin at 0",),
    "why_remade": ("the model makes them itself",),
    "why_absent": ("lacking in the file",),
    "unused": ("left over in the file",),
    "variant": ("another variant of the model: {sizes}",),
    "choice": ("a choice: {names} fits as well; --key names what is meant",),
    "differs": ("{a} and {b} differ; the same in both: {tensors}",),
    "equal": ("{a} and {b} hold the same: {tensors}",),
    "only_in": ("only in {name}",),
    "other_shapes": ("another shape",),
    "other_dtypes": ("another dtype",),
    "other_values": ("other values",),
    "other_plain": ("other plain values",),
    "renamed_tensors": ("the same under another name",),
    "written": ("{n} entries written to {file}, {size}",),
    "dry": ("nothing is written: name an OUT",),
    "left_out": ("left out",),
    "copied": ("share memory in the file, and have copies of their own in safetensors",),
    "no_recipes": ("there are no recipes yet",),
    "avoids": ("avoids",),
    "recipes": ("recipes",),
    "recipe_written": ("recipe {name} written to {file}",),
    "samples": ("1 sample", "{n} samples"),
    "classes": ("1 class", "{n} classes"),
    "indices": ("samples",),
    "ranging": ("{low} to {high}",),
    "mean": ("mean {mean}, std {std}",),
    "sample_cost": ("{seconds} and {bytes} a sample; the slowest: {slowest}",),
    "interrupted": ("interrupted after 1 sample", "interrupted after {n} samples"),
    "data_found": ("1 finding in {samples}", "{n} findings in {samples}"),
    "data_clean": ("nothing found in {samples}",),
    "samples_a_second": ("{rate} samples/s",),
    "bound_by": ("bound by {bound}{colon}{shares}",),
    "storage": ("storage",),
    "cpu": ("the CPU (decoding, augmentation)",),
    "copying": ("copying into batches",),
    "shared memory": ("shared memory",),
    "shm_needed": ("/dev/shm: at most {size} at a time, {batch} a batch",),
    "left_out_dominated": ("not tried, as smaller ones were no better",),
    "tuning_interrupted": ("interrupted after 1 measure", "interrupted after {n} measures"),
    "left_out_big": ("not tried, as /dev/shm has no room",),
    "fewer_cores": (
        "the control group grants {granted} of {seen} processors ({file}); "
        "os.cpu_count() does not know it",
    ),
}


class Words:
    """The words of one language."""

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang

    def __call__(self, key: str, n: int = 2, **values: object) -> str:
        forms = self._forms(key)
        return forms[0 if n == 1 else -1].format(n=n, **values)

    def phrase(self, text: str) -> str:
        """What an engine says in fixed words."""
        if self.lang != "zh":
            return text
        from keng.report.chinese import PHRASES  # late, as most reports are in English

        return PHRASES.get(text, text)

    def _forms(self, key: str) -> tuple[str, ...]:
        if self.lang != "zh":
            return WORDS[key]
        from keng.report.chinese import CHINESE

        return (CHINESE[key],)

    @property
    def colon(self) -> str:
        return "：" if self.lang == "zh" else ": "

    @property
    def comma(self) -> str:
        return "，" if self.lang == "zh" else ", "
