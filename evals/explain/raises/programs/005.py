# argument: activation=MinMaxObserver()
from torch.ao.quantization import MinMaxObserver, QConfig

qconfig = QConfig(activation=MinMaxObserver(), weight=MinMaxObserver)
