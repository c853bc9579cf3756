"""Dataclasses that cost almost nothing to define: `dataclass`, `field`, `fields` and `replace` as in the standard library.

The standard library compiles six methods for a frozen class with slots, which takes half a millisecond. A command defines hundreds of
classes and makes few objects of most of them, so here a method is compiled when it has been called some times. Questions about such a class
that go to the standard module, by `fields`, `asdict` or pydantic, are answered by that module.

Type checkers see the standard library's functions. Of their arguments only those that are used here are taken.
"""

from __future__ import annotations

from itertools import repeat
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import MISSING, dataclass, field, fields, replace

__all__ = ["MISSING", "dataclass", "field", "fields", "replace"]

#: The attribute with the fields of a class by name, inherited ones first.
_RECORD: Final = "__record__"
#: The attribute with the names of fields that are arguments of the class, and of the others; set when `replace` is first called.
_PARTS: Final = "__record_parts__"
_FIELDS: Final = "__dataclass_fields__"
_PARAMETERS: Final = "__dataclass_params__"
_COMPARISONS: Final = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
#: Marks a missing argument whose default a function makes.
_NEW: Final = object()
#: Calls before a method is compiled; compiling takes as long as about twenty calls.
_CALLS: Final = 6
#: The number of fields from which an object of a frozen class isn't frozen while they are set.
_MANY_FIELDS: Final = 6
#: Says that the compiled method has to do it.
_NOT_DONE: Final = object()

_Options = dict[str, Any]
_NO_OPTIONS: Final[_Options] = {}


class _Field:
    """A field with the options given to `field`. It is in the body of a class until the class is declared, and `fields` returns it."""

    __slots__ = ("name", "options")

    def __init__(self, options: _Options, name: str = "") -> None:
        self.name = name
        self.options = options

    @property
    def default(self) -> Any:
        return self.options.get("default", MISSING)

    @property
    def metadata(self) -> Any:
        return self.options.get("metadata", {})


def _is_given(options: _Options) -> bool:
    """Whether a field is an argument of the class."""
    return options.get("init", True) is True


def _that_take_part(record: Mapping[str, _Options], where: str) -> list[str]:
    """The fields that are compared, shown or hashed; `compare` decides which are hashed unless stated otherwise."""
    other = "compare" if where == "hash" else where
    return [name for name, options in record.items() if options.get(where, options.get(other, True))]


if not TYPE_CHECKING:
    MISSING = object()

    def field(**options: Any) -> _Field:
        """A field with options."""
        return _Field(options)

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True, order: bool = False) -> Any:
        """Make a class a dataclass."""
        asked = {"frozen": frozen, "slots": slots, "eq": eq, "order": order}
        return _declared(cls, asked) if cls is not None else lambda given: _declared(given, asked)

    def fields(of: Any, /) -> tuple[_Field, ...]:
        """The fields of a class that is declared here, or of an object of one."""
        return tuple(_Field(options, name) for name, options in getattr(of, _RECORD).items())

    def replace(instance: Any, /, **changes: Any) -> Any:
        """A copy with other values in some fields."""
        cls = instance.__class__
        if (parts := vars(cls).get(_PARTS)) is None:
            if (record := vars(cls).get(_RECORD)) is None:
                import dataclasses

                return dataclasses.replace(instance, **changes)
            parts = [name for name in record if _is_given(record[name])], [name for name in record if not _is_given(record[name])]
            setattr(cls, _PARTS, parts)
        given, others = parts
        if wrong := [name for name in others if name in changes]:
            raise ValueError(f"{wrong[0]} is declared with init=False")
        return cls(**(dict(zip(given, map(getattr, repeat(instance), given), strict=True)) | changes))


class _Declared:
    """What is known of a class that is declared here. Methods are made from it when they are called."""

    __slots__ = ("asked", "cls", "given", "record")

    def __init__(self, record: dict[str, _Options], given: tuple[str, ...], asked: Mapping[str, bool]) -> None:
        self.cls: Any = None
        self.record = record
        self.given = given
        self.asked = asked


def _own(body: Mapping[str, Any]) -> dict[str, _Options]:
    """The options of the fields that a class declares itself."""
    own: dict[str, _Options] = {}
    for name, of in body.get("__annotations__", {}).items():
        value = body.get(name, MISSING)
        if str(of).startswith("ClassVar"):
            continue
        if value is MISSING:
            own[name] = _NO_OPTIONS
        elif value.__class__ is _Field:
            own[name] = value.options
        elif value.__class__.__hash__ is None:
            raise ValueError(f"all objects would share the default of {name}; use a default_factory")
        else:
            own[name] = {"default": value}
    return own


def _declared(given: Any, asked: Mapping[str, bool]) -> Any:
    body = vars(given)
    own = _own(body)
    record = own
    if given.__bases__ != (object,):
        record = {}
        for base in reversed(given.__mro__[1:-1]):
            record |= vars(base).get(_RECORD, ())
        record |= own
    declared = _Declared(record, tuple([name for name, options in record.items() if not options or _is_given(options)]), asked)
    answers = _Answers(given, own, asked)
    added = {_RECORD: record, _FIELDS: _Answer(answers, _FIELDS), _PARAMETERS: _Answer(answers, _PARAMETERS)}
    methods = _methods(declared, given.__qualname__)
    for name in methods.keys() & body.keys():
        if name != "__hash__" or body[name] is not None:
            del methods[name]
    added |= methods
    if asked["slots"]:
        declared.cls = _with_slots(given, record, added)
        return declared.cls
    declared.cls = given
    for name, value in added.items():
        setattr(given, name, value)
    for name, options in own.items():
        if isinstance(body.get(name), _Field):
            if "default" in options:
                setattr(given, name, options["default"])
            else:
                delattr(given, name)
    return given


def _with_slots(given: Any, record: Mapping[str, _Options], added: Mapping[str, Any]) -> Any:
    """The class with slots, which only a new class can have, and with what is added to it."""
    body = dict(vars(given))
    for name in ("__dict__", "__weakref__", *(body.keys() & record.keys())):
        body.pop(name, None)
    body |= added
    body["__slots__"] = tuple(record)
    if given.__bases__ != (object,):
        inherited = {name for base in given.__mro__[1:-1] for name in vars(base).get("__slots__", ())}
        body["__slots__"] = tuple([name for name in record if name not in inherited])
    made = type(given)(given.__name__, given.__bases__, body)
    made.__qualname__ = given.__qualname__
    return made


def _methods(declared: _Declared, qualified: str) -> dict[str, Any]:
    asked = declared.asked
    methods: dict[str, Any] = {
        "__init__": _at_first(declared, "__init__", qualified, _initialised, _initialiser),
        "__repr__": _shown,
        "__match_args__": declared.given,
    }
    if asked["eq"]:
        methods["__eq__"] = _at_first(declared, "__eq__", qualified, _compared, _comparison)
        methods["__hash__"] = _at_first(declared, "__hash__", qualified, _hashed, _hash) if asked["frozen"] else None
    if asked["order"]:
        methods |= {name: _at_first(declared, name, qualified, lambda *_: _NOT_DONE, _comparison) for name in _COMPARISONS}
    if asked["frozen"]:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
        if asked["slots"]:
            methods |= {"__getstate__": _state, "__setstate__": _set_state}
    return methods


def _at_first(
    declared: _Declared,
    name: str,
    qualified: str,
    act: Callable[[_Declared, Any, tuple[Any, ...], dict[str, Any]], Any],
    write: Callable[[Any, str, Mapping[str, bool]], Any],
) -> Any:
    """A method that works uncompiled at first. When it has been called so often that compiling pays, a compiled one replaces it."""
    calls = 0

    def method(self: Any, *args: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls <= _CALLS and (result := act(declared, self, args, options)) is not _NOT_DONE:
            return result
        compiled = write(declared.cls, name, declared.asked)
        setattr(declared.cls, name, compiled)
        return compiled(self, *args, **options)

    method.__name__ = name
    method.__qualname__ = f"{qualified}.{name}"
    return method


def _initialised(declared: _Declared, self: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Set the fields. Wrong arguments are left to the compiled method."""
    given, record = declared.given, declared.record
    change = object.__setattr__ if declared.asked["frozen"] else setattr
    if len(args) == len(record) == len(given) and not options:
        for name, value in zip(given, args, strict=True):
            change(self, name, value)
    else:
        if len(args) > len(given) or not options.keys().isdisjoint(given[: len(args)]) or not options.keys() <= set(given):
            return _NOT_DONE
        values = dict(zip(given, args, strict=False)) | options
        for name, of in record.items():
            if name in values:
                change(self, name, values[name])
            elif "default" in of:
                change(self, name, of["default"])
            elif "default_factory" in of:
                change(self, name, of["default_factory"]())
            elif _is_given(of):
                return _NOT_DONE
    if hasattr(declared.cls, "__post_init__"):
        self.__post_init__()
    return None


def _compared(declared: _Declared, self: Any, args: tuple[Any, ...], _options: dict[str, Any]) -> Any:
    (other,) = args
    if other.__class__ is not self.__class__:
        return NotImplemented
    names = _that_take_part(declared.record, "compare")
    return [getattr(self, name) for name in names] == [getattr(other, name) for name in names]


def _hashed(declared: _Declared, self: Any, _args: tuple[Any, ...], _options: dict[str, Any]) -> Any:
    return hash(tuple(getattr(self, name) for name in _that_take_part(declared.record, "hash")))


def _compiled(cls: Any, name: str, head: str, lines: list[str], known: dict[str, Any]) -> Any:
    source = "\n ".join([f"def {name}({head}):", *lines])
    exec(source, known)
    method = known[name]
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    method.__module__ = cls.__module__
    return method


def _initialiser(cls: Any, name: str, asked: Mapping[str, bool]) -> Any:
    known: dict[str, Any] = {"_NEW": _NEW, "_set": object.__setattr__}
    head, values = ["self"], {}
    for number, (field_name, options) in enumerate(vars(cls)[_RECORD].items()):
        is_given = _is_given(options)
        argument, value = field_name, field_name if is_given else f"_d{number}"
        if "default_factory" in options:
            known[f"_d{number}"] = options["default_factory"]
            argument, value = f"{field_name}=_NEW", f"_d{number}()"
            if is_given:
                value = f"{value} if {field_name} is _NEW else {field_name}"
        elif "default" in options:
            known[f"_d{number}"] = options["default"]
            argument = f"{field_name}=_d{number}"
        elif not is_given:
            continue
        head += [argument] if is_given else []
        values[field_name] = value
    lines = _assignments(cls, values, known, asked)
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    return _compiled(cls, name, ", ".join(head), lines or ["pass"], known)


def _assignments(cls: Any, values: Mapping[str, str], known: dict[str, Any], asked: Mapping[str, bool]) -> list[str]:
    """The lines that set the fields to the values of expressions."""
    plain = [f"self.{name} = {value}" for name, value in values.items()]
    if not asked["frozen"]:
        return plain
    if not asked["slots"]:
        return [f"_set(self, {name!r}, {value})" for name, value in values.items()]
    known.update({f"_set_{name}": getattr(cls, name).__set__ for name in values})
    called = [f"_set_{name}(self, {value})" for name, value in values.items()]
    if len(values) < _MANY_FIELDS or cls.__bases__ != (object,):
        return called
    # Calls take most of the time. So the object is of a class with the same slots that isn't frozen until all are set.
    opened = type(cls.__name__, (), {"__slots__": vars(cls)["__slots__"]})
    known.update(_class=cls, _opened=opened, _become=vars(object)["__class__"].__set__)
    lines = ["_become(self, _opened)", *plain, "self.__class__ = _class"]
    return ["if self.__class__ is _class:", *(f" {line}" for line in lines), "else:", *(f" {line}" for line in called)]


def _values(cls: Any, of: str) -> str:
    return "(" + "".join(f"{of}.{name}, " for name in _that_take_part(vars(cls)[_RECORD], "compare")) + ")"


def _comparison(cls: Any, name: str, _asked: Mapping[str, bool]) -> Any:
    sign = _COMPARISONS.get(name, "==")
    result = f"{_values(cls, 'self')} {sign} {_values(cls, 'other')}"
    lines = ["if other.__class__ is self.__class__:", f" return {result}", "return NotImplemented"]
    return _compiled(cls, name, "self, other", lines, {})


def _hash(cls: Any, name: str, _asked: Mapping[str, bool]) -> Any:
    hashed = _that_take_part(vars(cls)[_RECORD], "hash")
    return _compiled(cls, name, "self", [f"return hash(({''.join(f'self.{field}, ' for field in hashed)}))"], {})


@recursive_repr()
def _shown(self: Any) -> str:
    shown = _that_take_part(getattr(self, _RECORD), "repr")
    return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


def _is_frozen(instance: Any, name: str) -> bool:
    """Whether the attribute can't change; a class that only inherits from a frozen one may have others."""
    cls = type(instance)
    return _RECORD in vars(cls) or name in getattr(cls, _RECORD)


def _refuse_to_set(self: Any, name: str, value: Any) -> None:
    if _is_frozen(self, name):
        _refuse(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_to_delete(self: Any, name: str) -> None:
    if _is_frozen(self, name):
        _refuse(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _refuse(why: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(why)


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in getattr(self, _RECORD)]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(getattr(self, _RECORD), state, strict=True):
        object.__setattr__(self, name, value)


class _Answers:
    """The attributes that the module `dataclasses` expects of a class; it makes them itself when one is first read."""

    def __init__(self, given: Any, own: Mapping[str, _Options], asked: Mapping[str, bool]) -> None:
        self._made: Any = None
        self._given = given
        self._own = own
        self._asked = asked

    def get(self, name: str) -> Any:
        import dataclasses

        if self._made is None:
            given = vars(self._given)
            body = {kept: given[kept] for kept in ("__module__", "__annotations__", "__orig_bases__") if kept in given}
            fields = {entry: dataclasses.field(**options) for entry, options in self._own.items() if options}
            twin = type(self._given)(self._given.__name__, self._given.__bases__, body | fields)
            self._made = dataclasses.dataclass(**self._asked)(twin)
        return getattr(self._made, name)


class _Answer:
    """An attribute of a class that is made when it is first read."""

    def __init__(self, answers: _Answers, name: str) -> None:
        self._answers = answers
        self._name = name

    def __get__(self, _instance: Any, owner: Any) -> Any:
        made = self._answers.get(self._name)
        home = next((cls for cls in owner.__mro__ if vars(cls).get(self._name) is self), None)
        if home is not None:
            setattr(home, self._name, made)
        return made
