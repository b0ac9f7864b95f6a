"""keng (坑, a pit in the road) finds, explains and fixes the pitfalls of PyTorch."""

TYPE_CHECKING = False  # so type checkers know it; importing typing would triple the cost of a start
if TYPE_CHECKING:
    from keng.runtime import watch as watch

__version__ = "0.1.0"
__all__ = ["__version__", "watch"]


def __getattr__(name: str) -> object:
    # `keng.watch` needs torch; `import keng` must not.
    if name == "watch":
        from keng.runtime import watch

        return watch
    raise AttributeError(f"module 'keng' has no attribute {name!r}")
