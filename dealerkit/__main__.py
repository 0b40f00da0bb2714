"""``python -m dealerkit``."""

import sys

from dealerkit.cli import main

sys.exit(main())
