# argument:
from transformers import RagTokenForGeneration

model = RagTokenForGeneration()
