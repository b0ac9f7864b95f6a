# argument: map_location="cuda:0"
from accelerate import Accelerator

accelerator = Accelerator(cpu=True)
accelerator.load_state("/tmp", map_location="cuda:0")
