# an adapter is configured by options that exclude each other, or that its layers do not take
# needs: import peft
from peft import LoraConfig

config = LoraConfig(target_modules="all-linear", layers_to_transform=[0])
