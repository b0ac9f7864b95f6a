"""The report's own words, in English and Chinese."""

from __future__ import annotations

LANGUAGES = ("en", "zh")

WORDS: dict[str, tuple[str, ...]] = {
    # key: English for one, English for more; Chinese follows in CHINESE
    "error": ("error",),
    "warning": ("warning",),
    "hint": ("hint",),
    "suspicious": ("not sure",),
    "fix": ("fix",),
    "cure": ("what to do",),
    "evidence": ("seen",),
    "first": ("first at {when}", "first at {when}, {n} times"),
    "more": ("more",),
    "cut": ("... 1 more line", "... {n} more lines"),
    "unsafe": ("may change what the program does",),
    "shown": ("to be made by hand",),
    "errors": ("1 error", "{n} errors"),
    "warnings": ("1 warning", "{n} warnings"),
    "hints": ("1 hint", "{n} hints"),
    "found": ("{counts} in {files}",),
    "files": ("1 file", "{n} files"),
    "clean": ("nothing found in {files}",),
    "ran": ("keng: {counts} in this run",),
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
    "no_recipes": ("there are no recipes yet",),
}

CHINESE: dict[str, str] = {
    "error": "错误",
    "warning": "警告",
    "hint": "提示",
    "suspicious": "不确定",
    "fix": "修复",
    "cure": "做法",
    "evidence": "所见",
    "first": "首次出现于 {when}，共 {n} 次",
    "more": "详见",
    "cut": "…… 还有 {n} 行",
    "unsafe": "可能改变程序行为",
    "shown": "需手动修改",
    "errors": "{n} 个错误",
    "warnings": "{n} 个警告",
    "hints": "{n} 个提示",
    "found": "{files}中有 {counts}",
    "files": "{n} 个文件",
    "clean": "检查了 {files}，没有发现问题",
    "ran": "keng：本次运行有 {counts}",
    "fixable": "{n} 处可修复：`keng check --fix`",
    "unsafe_fixable": "{n} 处修复可能改变程序行为：`keng check --fix --unsafe-fixes`",
    "fixed": "修复了 {n} 处，涉及 {files}",
    "would_fix": "可修复 {n} 处，涉及 {files}",
    "ignored": "忽略了 {n} 处，涉及 {files}",
    "would_ignore": "可忽略 {n} 处，涉及 {files}",
    "known": "基线中已有的 {n} 处未列出",
    "baseline": "已将 {n} 处写入 {file}",
    "silence": "在此忽略 {name}",
    "fix_all": "应用 keng 的全部安全修复",
    "watching": "正在监视{files}，按 Ctrl-C 结束",
    "unlooked": "未能检查",
    "why": "依据",
    "also": "也可能",
    "certain": "确定",
    "likely": "很可能",
    "possible": "有可能",
    "not_known": "未知：keng 不知道这个错误的原因",
    "not_pytorch": "不是 PyTorch 的问题",
    "no_error": "这段文字里没有错误信息",
    "sources": "出处",
    "met": "可由此发现",
    "Bad": "错误写法",
    "Good": "正确写法",
    "Fine": "没有问题的写法",
    "Proof": "证明",
    "Message": "报错原文",
    "broken": "已损坏",
    "trick": "可疑手法",
    "note": "注意",
    "calls": "会调用",
    "dangerous": "已知会执行操作",
    "unknown": "未知名称",
    "holds": "包含",
    "tensors": "{n} 个张量",
    "numbers": "{n} 个数",
    "storages": "{n} 块存储",
    "all_tagged": "全部标记为 {device}",
    "tagged": "{n} 块标记为 {device}",
    "shares": "与 {name} 共用内存",
    "no_bytes": "文件中没有其数据",
    "by_module": "按模块",
    "whole": "{path}：完整",
    "read_back": "{all} 个张量中有 {n} 个可读",
    "salvaged": "{all} 个张量中有 {n} 个已写入 {file}",
    "lost": "丢失",
    "no_recipes": "暂时没有配方",
}


class Words:
    """The words of one language."""

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang

    def __call__(self, key: str, n: int = 2, **values: object) -> str:
        forms = (CHINESE[key],) if self.lang == "zh" else WORDS[key]
        return forms[0 if n == 1 else -1].format(n=n, **values)

    @property
    def colon(self) -> str:
        return "：" if self.lang == "zh" else ": "

    @property
    def comma(self) -> str:
        return "，" if self.lang == "zh" else ", "
