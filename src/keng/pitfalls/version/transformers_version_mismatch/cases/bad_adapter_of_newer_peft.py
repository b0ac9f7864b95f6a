# PEFT is of another time than the adapter or than what works with it
# needs: an adapter of a newer PEFT
from peft import PeftModel
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2")
model = PeftModel.from_pretrained(model, "out/adapter-of-next-year")
