# A build under Windows does not find the parts of Visual Studio or Python
# needs: Windows without a compiler
import os

os.environ["DISTUTILS_USE_SDK"] = "1"  # in the x64 Native Tools prompt
