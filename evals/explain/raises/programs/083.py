# argument: precision="bf16-mixed"
from lightning.fabric import Fabric
from lightning.fabric.plugins.precision import Precision

fabric = Fabric(accelerator="cpu", precision="bf16-mixed", plugins=[Precision()])
