"""Studies of opening leads: which card to lead from a hand, on deals that fit the auction."""
