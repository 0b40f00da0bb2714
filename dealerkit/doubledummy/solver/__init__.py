"""A double-dummy solver in compiled Python."""
