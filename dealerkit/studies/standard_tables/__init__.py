"""Tables that studies of bridge begin with: tricks, fits, par and layouts of solved deals, with intervals."""
