# argument: layers_to_transform=[0, 1]
from peft import HiraConfig

config = HiraConfig(
    r=4, target_modules=".*proj", layers_to_transform=[0, 1], layers_pattern="layers"
)
