"""Double dummy: results of deals from a solver and from the store, tables, par, leads, positions.

`lookup` is the entry point, which looks results up or solves them. `tables`, `par` and `leads` contain the
public functions about deals, and `positions` the one about part-played positions. Below them, `batches`
solves arrays of deals, `library` loads Bo Haglund's and Soren Hein's DDS and holds its lock, and `store`
keeps results on disk. Nothing is imported here, so that DDS is loaded only when something is solved.
"""
