"""Files of deals and libraries of solved deals."""

from dealerkit.formats.pavlicek.recipe import pavlicek_deals as pavlicek_deals
