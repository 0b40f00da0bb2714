"""The explorer: questions to fill in, and scripts with sliders whose results follow them.

`session` is the model of the questions and `state` the model of a script; `view` and `html` render both as
pages, which `widgets` shows in a notebook.
"""

from __future__ import annotations
