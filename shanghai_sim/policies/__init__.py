"""How a player decides, given what the seat may see: policies as data and the functions that serve them."""
