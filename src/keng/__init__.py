"""keng (坑, a pit in the road) finds, explains and fixes the pitfalls of PyTorch."""

from keng._util.version import VERSION

TYPE_CHECKING = False  # so type checkers know it; importing typing would triple the cost of a start
if TYPE_CHECKING:
    from keng.plugins.context_manager import watch as watch
    from keng.plugins.hooks import install as install
    from keng.plugins.hooks import load_ipython_extension as load_ipython_extension
    from keng.plugins.hooks import unload_ipython_extension as unload_ipython_extension

__version__ = VERSION
__all__ = ["__version__", "install", "load_ipython_extension", "unload_ipython_extension", "watch"]

HOOKS = ("install", "load_ipython_extension", "unload_ipython_extension")


def __getattr__(name: str) -> object:
    # `keng.watch` needs torch; `import keng` must not.
    if name == "watch":
        from keng.plugins.context_manager import watch

        return watch
    if name in HOOKS:
        from keng.plugins import hooks

        return getattr(hooks, name)
    raise AttributeError(f"module 'keng' has no attribute {name!r}")
