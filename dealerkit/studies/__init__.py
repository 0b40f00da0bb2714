"""Studies of bridge: questions that are answered with estimates over many deals.

Each package exports its public names: `estimate`, `contracts`, `leads`, `tables`, `comparison` and
`fit_points`. This one imports none of them, so that a study loads only the modules that it needs.
"""
