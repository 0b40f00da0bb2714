"""For tests and doctests alike."""

import os
import signal

os.environ["DEALERKIT_CONFIG"] = "off"  # nobody's own libraries of solved deals take part in studies
os.environ["DEALERKIT_STORE"] = "off"  # nobody's own store is read or written; the store has tests of its own
# A suite that runs in the background is deaf to Ctrl-C, and so would be the programs that it interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
