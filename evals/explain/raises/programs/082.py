# argument: method="onnx"
from lightning.pytorch import LightningModule


class Net(LightningModule):
    def forward(self, x):
        return x


Net().to_torchscript(method="onnx")
