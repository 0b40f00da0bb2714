"""D1 to D19."""
INTRODUCTION = ""
ITEMS = ()
