"""The deals of Richard Pavlicek's library of solved deals, computed from their numbers.

`recipe` turns the number of a deal into the rank of the deal among all deals, `unranking` the rank into
hands. The tricks are in files that users have from him: see `dealerkit.formats.zrd` and `zdd`.
"""

from dealerkit.formats.pavlicek.recipe import CREDIT as CREDIT
from dealerkit.formats.pavlicek.recipe import N_DEALS as N_DEALS
from dealerkit.formats.pavlicek.recipe import TERMS as TERMS
from dealerkit.formats.pavlicek.recipe import compute_hands as compute_hands
from dealerkit.formats.pavlicek.recipe import pavlicek_deals as pavlicek_deals
