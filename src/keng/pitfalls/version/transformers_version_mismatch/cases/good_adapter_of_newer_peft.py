# PEFT is of another time than the adapter or than what works with it
# needs: an adapter of a newer PEFT
from peft import PeftConfig

config = PeftConfig.from_peft_type(peft_type="LORA", r=8)
