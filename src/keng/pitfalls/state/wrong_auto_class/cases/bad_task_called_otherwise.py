# a task that is called otherwise
from transformers import pipeline

write = pipeline("text-generator")  # run: `text-generation`
