# argument: "enable"
from peft.utils.other import str_to_bool

flag = str_to_bool("enable")
