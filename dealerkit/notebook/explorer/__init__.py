"""A script with sliders, whose results follow them. `state` is its model, `widgets` its view."""

from __future__ import annotations
