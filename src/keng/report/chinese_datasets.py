"""What is said of a dataset, in Chinese: each sentence by the English one, with the same places."""

from __future__ import annotations

OF_DATASETS: dict[str, str] = {
    "{samples} cannot be read: {error}": "{samples} 个样本无法读取：{error}",
    "the other split: {samples} cannot be read: {error}": "另一划分：{samples} 个样本无法读取：{error}",
    "len() is {length}, and from {end} on every index raises IndexError": (
        "len() 为 {length}，而从 {end} 起每个下标都引发 IndexError"
    ),
    "len() is {length}, and {samples} come": "len() 为 {length}，实际给出 {samples} 个样本",
    "len() is {length}, and {samples} can be read: the last are never seen": (
        "len() 为 {length}，而可读取 {samples} 个样本：最后几个永远不会用到"
    ),
    "there is no sample": "没有样本",
    "{of}{samples} of {all} have {what} {names}, the others {usual}": (
        "{of}{all} 个样本中有 {samples} 个的 {what} 是 {names}，其余是 {usual}"
    ),
    "{of}only {held} of {samples} have it": "{of}{samples} 个样本中只有 {held} 个有它",
    "{of}{what} in {samples}": "{of}{samples} 个样本中有 {what}",
    "{of}one value everywhere in {samples}": "{of}{samples} 个样本处处是同一个值",
    "{of}{low} to {high}: {samples} of {all} reach above 2, as if not divided by 255": (
        "{of}{low} 至 {high}：{all} 个中有 {samples} 个超过 2，像是没有除以 255"
    ),
    "{of}{low} to {high} in whole numbers: floats that were not divided by 255": (
        "{of}{low} 至 {high}，都是整数：没有除以 255 的浮点数"
    ),
    "{of}{low} to {high}: normalized without being divided by 255 before": (
        "{of}{low} 至 {high}：归一化之前没有除以 255"
    ),
    "{of}{low} to {high}: divided by 255 twice": "{of}{low} 至 {high}：除以 255 两次",
    "{of}no sample of {labels}": "{of}没有类别 {labels} 的样本",
    "{of}every sample has {label}": "{of}每个样本都是 {label}",
    "{of}the rarest, {label}, has {samples}, the most frequent {times} times that": (
        "{of}最少的类别 {label} 有 {samples} 个样本，最多的是它的 {times} 倍"
    ),
    "{of}labels {labels} are not among {classes} classes, from 0 on": (
        "{of}标签 {labels} 不在从 0 起的 {classes} 个类别之中"
    ),
    "{of}labels are 1 to {last}: {last} outputs take 0 to {largest}": (
        "{of}标签是 1 至 {last}：{last} 个输出对应 0 至 {largest}"
    ),
    "only the first {samples} are compared with each other": "只有前 {samples} 个样本相互比较过",
    "repeats of earlier samples: {pairs}": "与前面的样本重复：{pairs}",
    "pictures that look alike: {pairs}": "看起来相似的图像：{pairs}",
    "samples that are in the other split as well: {pairs}": "同时出现在另一划分中的样本：{pairs}",
    "pictures of the two splits that look alike: {pairs}": "两个划分之间看起来相似的图像：{pairs}",
    "`{where}` holds {count} objects ({kind}): every worker comes to copy them": (
        "`{where}` 持有 {count} 个对象（{kind}）：每个工作进程都会逐渐复制它们"
    ),
    "`{where}` grew by {more} in {samples}: each worker would fill its own": (
        "`{where}` 在读取 {samples} 个样本时增加了 {more} 项：每个工作进程会各填一份"
    ),
}
