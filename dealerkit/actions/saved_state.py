"""Save and restore what actions have accumulated, as JSON values with the arrays stored separately."""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.actions.base import Action
from dealerkit.statistics import Counts, Moments, Quantiles
from dealerkit.statistics.saved_state import Fetch, Store, encode_accumulator, restore_accumulator


def encode_action(action: Action, store: Store) -> dict[str, Any]:
    """Return what an action has accumulated as JSON values, for `restore_action`."""
    return {name: _encode(getattr(action, name), store) for name in action.accumulated}


def restore_action(action: Action, state: dict[str, Any], fetch: Fetch) -> Action:
    """Return a copy of an action with what `encode_action` saved.

    Raises
    ------
    KeyError, TypeError, ValueError, AttributeError
        The state is not from the same action of the same script.
    """
    other = action.copy_empty()
    for name in other.accumulated:
        setattr(other, name, _restore(getattr(other, name), state[name], fetch))
    other.check_restored()
    return other


def _encode(value: Any, store: Store) -> Any:
    """Return an accumulator, an array, or a list or dict of these, as JSON values."""
    if isinstance(value, Moments | Counts | Quantiles):
        return encode_accumulator(value, store)
    if isinstance(value, np.ndarray):
        return {"array": store(value)}
    if isinstance(value, list) and value and all(isinstance(part, np.ndarray) for part in value):
        return {"array": store(np.concatenate(value))}  # one array from each batch
    if isinstance(value, dict):
        return {name: _encode(part, store) for name, part in value.items()}
    if isinstance(value, list):
        return [_encode(part, store) for part in value]
    if value is None:
        return None
    raise TypeError(
        f"{type(value).__name__} cannot be saved; attributes in `accumulated` are Moments, Counts, "
        "Quantiles, arrays, or lists and dicts of these"
    )


def _restore(empty: Any, state: Any, fetch: Fetch) -> Any:
    """Return the value that a state was saved from; `empty` is the value in an action without deals."""
    if isinstance(empty, Moments | Counts | Quantiles):
        restore_accumulator(empty, state, fetch)
        return empty
    if isinstance(empty, np.ndarray):
        array = fetch(state["array"])
        if array.dtype != empty.dtype or array.shape != empty.shape:
            raise ValueError("an array does not have the dtype and shape of its action")
        return array
    if isinstance(empty, dict):
        return {name: _restore(part, state[name], fetch) for name, part in empty.items()}
    if isinstance(empty, list):
        if not empty and isinstance(state, dict):
            return [fetch(state["array"])]
        return [_restore(part, saved, fetch) for part, saved in zip(empty, state, strict=True)]
    return None
