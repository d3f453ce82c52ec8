"""Made-up entities for simulated records; no name holds another as a whole."""

from __future__ import annotations

from typing import Literal

Kind = Literal["woman", "man", "firm", "town", "country", "river", "book"]

_WOMEN = """
Anna Clara Helen Martha Sophie Laura Julia Emma Alice Irene Ruth Edith Agnes Nora
""".split()
_MEN = """
Otto Peter Martin Walter Henry Simon Oliver Edward Arthur David Conrad Felix Hugo Karl
""".split()
# Each is the surname of a woman and of a man, of whom a record has one.
SURNAMES = """
Keller Lang Brenner Falk Sommer Vogt Winkler Hartig Molnar Petrov Lindqvist Ostrander
Pavlik Quist Renard Sorel Tamm Ulrich Varga Wexler Yates Zeman Adler Benes Corti Dahl
Ebner Farkas
""".split()
# Their first word is what they are called for short.
FIRMS = """
Brandt Mills|Kolb Works|Hensel & Sons|Aster Press|Orion Glass|Merkur Bank|Talbot Mills
Nordlicht Press|Corvus Works|Delta Glass|Ferrum & Sons|Gavotte Press|Halcyon Bank
Indigo Mills|Jasper Works|Kestrel Bank|Lumen Glass|Meridian Press|Nimbus Works
Obelisk Bank|Palisade Mills|Quarto Press|Rubicon Works|Saffron Mills
""".replace("\n", "|")
TOWNS = """
Tarnow|Hallau|St. Odile|Port Ansel|New Corvin|New Dorrit|Old Marish|Eschen|Fallowby
Grimsund|Hollin|Iverness|Jarmen|Kirkeby|Lohme|Marbeck|Nettlefold|Orsova|Pellworm
Querbach|Ravnik|Saint-Armel|Teterow|Umago|Veldes|Wallach|Port Yvain|Zavet|L'Aubrac
Bad Nauen|Castel Rino|Dobrin|El Paraje|Fort Hume
""".replace("\n", "|")
COUNTRIES = """
Galdovia|Upper Arvonia|Lower Arvonia|Belmark|Corsania|Drevia|Estmere|Feldoria
Grand Istria|Hestia|Ilmenia|Jorvania|Krasnia|Lethonia|Maravia|Nordania|Ostrelia
Pellucia|Quivira|Rhovania|South Tessaly|North Tessaly|Urbania|Valdesia|West Ombria
East Ombria|Zemlia|Sund Islands
""".replace("\n", "|")
RIVERS = """
Ister|Black Velda|White Velda|Morava|Narew|Olza|Prosna|Rega|Sawica|Tiber-Sund|Uslava
Vah|Warnow|Yonne|Zschopau|Bystra|Cidlina|Drava|Elde|Fulda
""".replace("\n", "|")
BOOKS = """
The Grey Harbour|The Last Ferry|A Winter Ledger|The Salt Road|Nine Lanterns
The Clockmaker's Debt|A House of Reeds|The Silent Orchard|Letters to No One
The Copper Bridge|Seven Tides|The Glass Meadow|A Borrowed Name|The Ninth Gate
The Bell and the Plough|Under Broken Stars|The Paper Crown|A Field of Crows
""".replace("\n", "|")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split("|") if name)


NAMES: dict[Kind, tuple[str, ...]] = {
    "woman": tuple(_WOMEN),
    "man": tuple(_MEN),
    "firm": _names(FIRMS),
    "town": _names(TOWNS),
    "country": _names(COUNTRIES),
    "river": _names(RIVERS),
    "book": _names(BOOKS),
}
