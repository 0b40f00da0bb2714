"""For tests and doctests alike: nobody's own store of solved deals is read or written."""

import os

os.environ["DEALERKIT_STORE"] = "off"  # the store has tests of its own
