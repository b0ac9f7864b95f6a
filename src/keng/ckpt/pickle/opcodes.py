"""What each opcode of a pickle does to a machine. Those that put into a container leave it on the
stack."""

from __future__ import annotations

import struct
from codecs import escape_decode
from collections.abc import Callable

from keng.ckpt.nodes import ARRAY, Dict, Global, Opaque, Tensor
from keng.ckpt.pickle.budget import WRAPPERS, Beyond, Impossible, Odd
from keng.ckpt.pickle.constructors import new

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keng.ckpt.pickle.protocol import Vm

SET = Global("builtins", "set")
FROZENSET = Global("builtins", "frozenset")
BYTEARRAY = Global("builtins", "bytearray")
FIXED = (int, float, complex, str, bytes, tuple)
Action = Callable[["Vm"], None]


def _push(value: Any) -> Action:
    return lambda vm: vm.stack.append(value)


def _number(width: int) -> Action:
    def push(vm: Vm) -> None:
        vm.stack.append(vm.number(width))

    return push


def _binint(vm: Vm) -> None:
    number = vm.number(4)
    vm.stack.append(number - (number >> 31 << 32))


def _long(width: int) -> Action:
    def push(vm: Vm) -> None:
        vm.stack.append(int.from_bytes(vm.take(vm.number(width)), "little", signed=True))

    return push


def _sized(width: int, made: Callable[[Vm, bytes], Any]) -> Action:
    def push(vm: Vm) -> None:
        vm.stack.append(made(vm, vm.take(vm.number(width))))

    return push


def _binunicode(vm: Vm) -> None:
    """Without a call for each part of it: keys and names are most of what is no number."""
    data, at = vm.data, vm.at + 4
    vm.at = end = at + int.from_bytes(data[vm.at : at], "little")
    if end > vm.stop:
        raise Beyond("it goes beyond its end")
    vm.stack.append(str(data[at:end], "utf-8", "surrogatepass"))


def _text(vm: Vm, piece: bytes) -> str:
    return vm.text(piece)


def _unicode(vm: Vm, piece: bytes) -> str:
    return piece.decode("utf-8", "surrogatepass")


def _bytes(width: int) -> Action:
    def push(vm: Vm) -> None:
        vm.stack.append(vm.long(vm.number(width)))

    return push


def _bytearray(vm: Vm) -> None:
    vm.stack.append(Opaque(BYTEARRAY, (vm.long(vm.number(8)),)))


def _proto(vm: Vm) -> None:
    vm.protocol = vm.number(1)
    if vm.protocol > 5:
        raise Impossible(f"protocol {vm.protocol}, which there is not")


def _frame(vm: Vm) -> None:
    """Python reads a frame at once, and forgets the rest of it where something reaches beyond its end:
    what is read then depends on who reads, so nothing may."""
    size = vm.number(8)
    if vm.framed:
        raise Odd("a frame within a frame")
    if vm.at + size > vm.stop:
        raise Beyond("it goes beyond its end")
    vm.framed, vm.stop = vm.stop, vm.at + size


def _int(vm: Vm) -> None:
    line = vm.data[vm.at : vm.at + 3]
    flag = {b"00\n": False, b"01\n": True}.get(line)
    if flag is None:
        vm.stack.append(vm.digits())
    else:
        vm.at += 3
        vm.stack.append(flag)


def _float(vm: Vm) -> None:
    vm.stack.append(float(vm.line()))


def _binfloat(vm: Vm) -> None:
    vm.stack.append(struct.unpack(">d", vm.take(8))[0])


def _string(vm: Vm) -> None:
    line = vm.line().strip()
    if len(line) < 2 or line[:1] != line[-1:] or line[:1] not in (b"'", b'"'):
        raise Impossible("a string without its quotes")
    vm.stack.append(vm.text(escape_decode(line[1:-1])[0]))


def _raw_unicode(vm: Vm) -> None:
    vm.stack.append(vm.line().decode("raw-unicode-escape"))


def _pop(vm: Vm) -> None:
    if vm.stack:
        vm.stack.pop()
    else:
        vm.pop_mark()


def _dup(vm: Vm) -> None:
    vm.stack.append(vm.stack[-1])


def _pop_mark(vm: Vm) -> None:
    vm.pop_mark()


def _tuple(count: int) -> Action:
    def push(vm: Vm) -> None:
        stack = vm.stack
        if len(stack) < count:
            raise Impossible("a tuple of what is not there")
        stack[-count:] = (tuple(stack[-count:]),)

    return push


def _marked(made: Callable[[list[Any]], Any]) -> Action:
    def push(vm: Vm) -> None:
        items = vm.pop_mark()
        vm.stack.append(made(items))

    return push


def _dict(items: list[Any]) -> Dict:
    return Dict(pairs=_pairs(items))


def _pairs(items: list[Any]) -> list[tuple[Any, Any]]:
    if len(items) % 2:
        raise Impossible("a key without a value")
    return list(zip(items[::2], items[1::2], strict=True))


def _frozenset(items: list[Any]) -> Opaque:
    return Opaque(FROZENSET, (), items=items)


def _append(vm: Vm) -> None:
    value = vm.stack.pop()
    _extend(vm.stack[-1], [value])


def _appends(vm: Vm) -> None:
    items = vm.pop_mark()
    _extend(vm.stack[-1], items)


def _extend(target: Any, items: list[Any]) -> None:
    """To put nothing into something does nothing, whatever it is."""
    if not items:
        return
    if isinstance(target, list):
        target.extend(items)
    elif isinstance(target, Opaque):
        target.items.extend(items)
    else:
        raise _refusal(target)(f"items for a {type(target).__name__}")


def _refusal(target: Any) -> type[Odd]:
    """Nothing can be put into numbers, texts and tuples."""
    return Impossible if target is None or isinstance(target, FIXED) else Odd


def _setitem(vm: Vm) -> None:
    value, key = vm.stack.pop(), vm.stack.pop()
    _update(vm.stack[-1], [(key, value)])


def _setitems(vm: Vm) -> None:
    items = vm.pop_mark()
    _update(vm.stack[-1], _pairs(items))


def _update(target: Any, pairs: list[tuple[Any, Any]]) -> None:
    if not pairs:
        return
    if not isinstance(target, Dict | Opaque):
        raise _refusal(target)(f"entries for a {type(target).__name__}")
    target.pairs.extend(pairs)


def _build(vm: Vm) -> None:
    state, target = vm.stack.pop(), vm.stack[-1]
    if isinstance(target, Dict | Opaque):
        target.state = state
        if vm.source and isinstance(target, Opaque) and target.name.full in WRAPPERS:
            from keng.ckpt.pickle.numpy_arrays import follows

            vm.stack[-1] = follows(vm, target)
    elif isinstance(target, Tensor) and target.kind == ARRAY:
        from keng.ckpt.pickle.numpy_arrays import filled  # late, as most files have none

        filled(target, state)
    elif state is None or isinstance(target, Tensor):  # the hooks of a Parameter from before 0.4
        return
    else:
        raise Odd(f"attributes for a {type(target).__name__}")


def _put_byte(vm: Vm) -> None:
    vm.memo[vm.data[vm.at]] = vm.stack[-1]
    vm.at += 1


def _get(vm: Vm) -> None:
    vm.stack.append(vm.memo[vm.number(4)])


def _put_line(vm: Vm) -> None:
    vm.memo[vm.digits()] = vm.stack[-1]


def _get_line(vm: Vm) -> None:
    vm.stack.append(vm.memo[vm.digits()])


def _memoize(vm: Vm) -> None:
    vm.memo[len(vm.memo)] = vm.stack[-1]


def _global(vm: Vm) -> None:
    vm.import_(vm.line().decode("utf-8"), vm.line().decode("utf-8"))


def _stack_global(vm: Vm) -> None:
    name, module = vm.stack.pop(), vm.stack.pop()
    if not isinstance(name, str) or not isinstance(module, str):
        raise Impossible("a name that is no text")
    vm.import_(module, name)


def _ext(width: int) -> Action:
    """A name by its number in a registry that the file does not hold."""
    return lambda vm: vm.import_("copyreg.extension", str(vm.number(width)))


def _reduce(vm: Vm) -> None:
    args, function = vm.stack.pop(), vm.stack.pop()
    vm.call(function, args)


def _newobj(vm: Vm) -> None:
    args, cls = vm.stack.pop(), vm.stack.pop()
    vm.call(cls, args, new)


def _newobj_ex(vm: Vm) -> None:
    keywords, args, cls = vm.stack.pop(), vm.stack.pop(), vm.stack.pop()
    vm.call(cls, (args, keywords), new)


def _obj(vm: Vm) -> None:
    items = vm.pop_mark()
    vm.call(items[0], tuple(items[1:]))


def _inst(vm: Vm) -> None:
    vm.import_(vm.line().decode("utf-8"), vm.line().decode("utf-8"))
    cls = vm.stack.pop()
    vm.call(cls, tuple(vm.pop_mark()))


def _persid(vm: Vm) -> None:
    vm.stack.append(vm.persistent(vm.line().decode("ascii")))


def _binpersid(vm: Vm) -> None:
    vm.stack.append(vm.persistent(vm.stack.pop()))


def _next_buffer(vm: Vm) -> None:
    raise Impossible("a buffer that is kept elsewhere")


def _nothing(vm: Vm) -> None:
    pass


def _none_such(vm: Vm) -> None:
    raise Impossible(f"no opcode {vm.data[vm.at - 1]:#04x}")


IN_LOOP = b"rhK(t."
"""Those that stand in the loop of the machine, as they are most of what runs."""
OPCODES: dict[bytes, Action] = {
    b"\x80": _proto,
    b"\x95": _frame,
    b"N": _push(None),
    b"\x88": _push(True),
    b"\x89": _push(False),
    b")": _push(()),
    b"]": lambda vm: vm.stack.append([]),
    b"}": lambda vm: vm.stack.append(Dict()),
    b"\x8f": lambda vm: vm.stack.append(Opaque(SET)),
    b"I": _int,
    b"L": lambda vm: vm.stack.append(vm.digits()),
    b"J": _binint,
    b"M": _number(2),
    b"\x8a": _long(1),
    b"\x8b": _long(4),
    b"F": _float,
    b"G": _binfloat,
    b"S": _string,
    b"T": _sized(4, _text),
    b"U": _sized(1, _text),
    b"V": _raw_unicode,
    b"X": _binunicode,
    b"\x8c": _sized(1, _unicode),
    b"\x8d": _sized(8, _unicode),
    b"B": _bytes(4),
    b"C": _bytes(1),
    b"\x8e": _bytes(8),
    b"\x96": _bytearray,
    b"\x97": _next_buffer,
    b"\x98": _nothing,
    b"0": _pop,
    b"1": _pop_mark,
    b"2": _dup,
    b"\x85": _tuple(1),
    b"\x86": _tuple(2),
    b"\x87": _tuple(3),
    b"l": _marked(list),
    b"d": _marked(_dict),
    b"\x91": _marked(_frozenset),
    b"a": _append,
    b"e": _appends,
    b"\x90": _appends,
    b"s": _setitem,
    b"u": _setitems,
    b"b": _build,
    b"q": _put_byte,
    b"p": _put_line,
    b"\x94": _memoize,
    b"j": _get,
    b"g": _get_line,
    b"c": _global,
    b"\x93": _stack_global,
    b"\x82": _ext(1),
    b"\x83": _ext(2),
    b"\x84": _ext(4),
    b"R": _reduce,
    b"\x81": _newobj,
    b"\x92": _newobj_ex,
    b"o": _obj,
    b"i": _inst,
    b"P": _persid,
    b"Q": _binpersid,
}
DEAR = {
    **dict.fromkeys(b"jJMG", 5),  # numbers
    **dict.fromkeys(b"(]lt\x85\x86\x87", 6),  # marks, lists, tuples
    **dict.fromkeys(b"TUX\x8c\x8d\x8eBC\x96\x8a\x8b", 7),  # texts and long numbers
    **dict.fromkeys(b"r\x94\x80\x95", 8),  # the memo, what is before a pickle
    **dict.fromkeys(b"ILFSVpgQ", 12),  # lines to be read
    **dict.fromkeys(b"}d\x91\x81\x92obPR", 16),  # objects, calls
    **dict.fromkeys(b"\x8f", 18),  # sets
    **dict.fromkeys(b"c\x93\x82\x83\x84", 32),  # names
    **dict.fromkeys(b"i", 48),  # a name and a call
}
COSTS = [DEAR.get(code, 3) for code in range(256)]
"""Units of work (`ledger.WORK`) by opcode."""
ACTIONS = [
    None if code in IN_LOOP else OPCODES.get(bytes((code,)), _none_such) for code in range(256)
]
