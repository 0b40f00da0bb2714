"""Studies of bridge: questions answered by estimates over many deals.

Each package exports its public names: `estimate`, `contracts`, `leads`, `tables`, `comparison` and
`fit_points`. This module imports none of them, so a study loads only the modules that it needs.
"""
