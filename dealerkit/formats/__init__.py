"""Files of deals and libraries of solved deals."""

from dealerkit.formats.pavlicek import pavlicek_deals as pavlicek_deals
