"""Double dummy: the solver, what was solved before, tables, par and leads.

`library` loads Bo Haglund's and Soren Hein's DDS and holds its lock, `solver` asks it about
many deals at once, `positions` about part-played ones, `tables` answers in terms of deals.
Each is imported from its own module, so that nothing is loaded before something is solved.
"""
