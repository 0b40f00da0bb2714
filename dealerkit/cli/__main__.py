"""``python -m dealerkit.cli``."""

import sys

from dealerkit.cli import main

sys.exit(main())
