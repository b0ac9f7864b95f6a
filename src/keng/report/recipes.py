"""The list of recipes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words


class Recipe(Protocol):
    """`keng.recipes.Recipe` is one."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def avoids(self) -> Sequence[str]: ...


CHINESE = {
    "Train with less memory: forget the activations of chosen blocks, and compute them again in "
    "backward.": "用更少的显存训练：丢弃选定模块的激活值，反向传播时重新计算。",
    "Warp images by a matrix of pixels, as OpenCV does, on any device and with gradients.": "像 OpenCV "
    "那样按像素矩阵做仿射变换，可在任何设备上运行，可求梯度。",
    "Find the convolution channels that carry nothing, and take them out.": "找出不起作用的卷积通道，"
    "并把它们去掉。",
    "Look at the data before training on it: what is broken, mislabelled, constant, or in both "
    "splits.": "训练之前先检查数据：损坏的、标错的、恒定不变的、同时出现在两个划分里的样本。",
    "Compile a model with torch.compile, and see what it did: graph breaks, recompilations, "
    "speed.": "用 torch.compile 编译模型，并查看结果：图中断、重新编译、速度。",
    "Count what a model costs: parameters, multiply-adds and activation memory, by "
    "module.": "按模块统计模型的开销：参数量、乘加次数、激活值占用的内存。",
    "Copy the next batch to the device while the present one is used.": "在使用当前批次的同时，"
    "把下一批次复制到设备上。",
    "Operations of computer vision with gradients, by kornia: learn how an image was turned and "
    "blurred.": "用 kornia 做可求梯度的视觉运算：学出图像经过了怎样的旋转和模糊。",
    "Export a model as ONNX with dynamic sizes, and compare the file with the model in ONNX "
    "Runtime.": "以动态尺寸把模型导出为 ONNX，并在 ONNX Runtime 中与原模型比较。",
    "Compile a model with Torch-TensorRT for a range of batch sizes, and compare it.": "用 "
    "Torch-TensorRT 为一定范围的批大小编译模型，并与原模型比较。",
    "Export a model to files that run without its source: a trace, an exported program, a compiled "
    "package.": "把模型导出为不需要源代码就能运行的文件：trace、导出的程序、编译好的包。",
    "Use a trained model: evaluation mode, no graph, work on the device, one transfer each "
    "way.": "使用训练好的模型：评估模式、不建计算图、在设备上完成计算、来回各传输一次。",
    "A smooth one-hot vector whose centre and width are learned.": "中心和宽度可以学习的平滑 one-hot "
    "向量。",
    "Measure how long something takes: warm up, wait for the device, tell the "
    "spread.": "测量耗时：先预热，等待设备完成，并给出离散程度。",
    "Change the channels of a trained model: another kind of input, more or fewer "
    "outputs.": "改变已训练模型的通道：换一种输入，增加或减少输出。",
    "Load a pretrained state into a model with another head or other channels, and know what was "
    "loaded.": "把预训练权重载入输出头或通道不同的模型，并清楚知道载入了什么。",
    "Prune a network: the smallest weights become zero, wherever they are, and it learns on without "
    "them.": "剪枝：把全网络中最小的权重置零，并在没有它们的情况下继续学习。",
    "Seed everything, so that a run can be repeated to the last bit.": "设定所有随机种子，"
    "使一次运行可以逐位重现。",
    "See which pixels of an input move the loss, as a picture.": "用一张图显示输入的哪些像素影响损失。",
    "Save the whole state of a run, so that a crash costs one epoch and nothing "
    "more.": "保存一次运行的全部状态，崩溃时最多损失一个 epoch。",
    "Read TFRecord files with several workers and ranks, every record exactly "
    "once.": "用多个 worker 和 rank 读取 TFRecord 文件，每条记录恰好读一次。",
    "Train on several devices with DistributedDataParallel: one process a device.": "用 "
    "DistributedDataParallel 在多个设备上训练：每个设备一个进程。",
    "Train on several devices with Horovod: what has to be broadcast, reduced and divided.": "用 Horovod "
    "在多个设备上训练：需要广播、归约和划分的内容。",
    "Train on one device: the plain loop, with everything in its place.": "在单个设备上训练："
    "各部分都到位的普通训练循环。",
    "Train on a TPU by PyTorch/XLA: the step is a graph, and the host must not look into it.": "用 "
    "PyTorch/XLA 在 TPU 上训练：一步就是一张图，主机不能在中途读取其中的值。",
    "Warm up the learning rate: begin low and climb, or pretrained features are ruined at the first "
    "steps.": "学习率预热：从低处开始逐渐升高，否则预训练的特征会在最初几步被毁掉。",
}
"""The titles by the English ones, so that one that was changed has none and a test tells."""


def lines(recipe: Recipe, words: Words, width: int) -> list[Line]:
    """Name, title and the pitfalls that it avoids."""
    indent = [Piece("  ")]
    title = CHINESE[recipe.title] if words.lang == "zh" else recipe.title
    avoids = f"{words('avoids')}{words.colon}{words.comma.join(recipe.avoids)}"
    return [
        [Piece(recipe.name, "command")],
        *paragraph(title, width, indent),
        *paragraph(avoids, width, indent, "dim"),
    ]
