"""The methods of all classes of nodes, defined once.

``dataclass(frozen=True)`` generates and compiles six methods for each class; for 33 classes that
takes 15 ms of each start. `node` adds the fields alone, and the methods are inherited.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, NoReturn, Self, TypeVar, dataclass_transform

from dealerkit.appearance.wording import REPR_LENGTH, shorten


class NodeBase:
    """What a frozen dataclass with slots has; its fields are found by `node`."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]  # the fields that may be given by position
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    _defaults: ClassVar[dict[str, Any]]
    _shown: ClassVar[tuple[str, ...]]  # the fields in the repr
    _compared: ClassVar[attrgetter[Any]]  # the class and the fields that are compared

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self.__match_args__, values, strict=False)) | named
        complete = self._defaults | given
        if len(given) != len(values) + len(named) or complete.keys() != self.__dataclass_fields__.keys():
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.__dataclass_fields__)}")
        self.__setstate__(complete)

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # immutable; lark 1.1 copies trees so deep that recursion ends

    def __eq__(self, other: object) -> bool:
        return self._compared(self) == self._compared(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared(self))

    def __repr__(self) -> str:
        values = (f"{name}={getattr(self, name)!r}" for name in self._shown)
        return shorten(f"{type(self).__qualname__}({', '.join(values)})", REPR_LENGTH)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


T = TypeVar("T", bound=NodeBase)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[T]) -> type[T]:
    """Return the class with the fields of its annotations: a decorator like ``dataclass(frozen=True)``."""
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    every = fields(made)
    made._defaults = {item.name: item.default for item in every if item.default is not MISSING}
    made._shown = tuple(item.name for item in every if item.repr)
    made._compared = attrgetter("__class__", *(item.name for item in every if item.compare))
    return made
