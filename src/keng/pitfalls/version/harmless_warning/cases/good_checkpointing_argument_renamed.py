# A library over Transformers tells what it puts right by itself in a training
# needs: import transformers
from transformers import TrainingArguments

args = TrainingArguments("out", activation_checkpointing=True)
