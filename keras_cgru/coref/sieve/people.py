"""Titles, nouns for people and places, and the commonest given names.

Written from general knowledge of English. The lists of names are short on purpose: they
matter little beside what the text says of its people, and who has longer ones passes
them to the resolver.
"""

from __future__ import annotations

_MALE_TITLES = """
mr mr. mister sir lord king prince duke count baron father brother uncle monsieur signor
senor señor herr don abbot friar squire esquire emperor master
"""
_FEMALE_TITLES = """
mrs mrs. miss ms ms. madam madame lady queen princess duchess countess baroness sister
aunt auntie mademoiselle mlle mme signora signorina senora señora señorita dame mistress
empress
"""
_OTHER_TITLES = """
dr dr. doctor professor prof prof. captain capt capt. colonel col col. general gen gen.
major maj lieutenant lt lt. sergeant sgt sgt. corporal private admiral commander
commissioner inspector detective officer agent judge justice senator governor president
mayor chancellor minister rev rev. reverend bishop cardinal pope saint st st. cousin
deputy sheriff chief coach nurse
"""

_MALE_NOUNS = """
man men boy boys gentleman gentlemen guy guys lad lads fellow fellows chap father dad
daddy papa pa pop grandfather grandpa granddad brother brothers uncle nephew son sons
grandson husband husbands boyfriend groom bridegroom fiancé widower king kings prince
princes lord lords duke emperor count baron knight knights monk monks priest priests
bishop friar pope cowboy waiter actor hero policeman policemen fireman firemen salesman
businessman businessmen clergyman clergymen congressman chairman fisherman fishermen
seaman countryman frenchman frenchmen englishman englishmen irishman scotsman dutchman
nobleman noblemen workman workmen postman milkman doorman gunman statesman sportsman
landlord wizard sorcerer bachelor dude bloke bull rooster stallion stepfather stepson
godfather grandsons stepbrother schoolboy manservant lackey footman butler squire vicar
curate rector parson abbot youngster sir mister footmen lordship majesty alderman
"""
_FEMALE_NOUNS = """
woman women girl girls lady ladies mother mom mommy mama mum mummy ma grandmother
grandma granny nana sister sisters aunt auntie niece daughter daughters granddaughter
wife wives girlfriend bride fiancée widow queen queens princess princesses duchess
countess baroness empress nun nuns waitress actress hostess heroine goddess witch
witches maid maids housemaid maiden governess mistress landlady policewoman
businesswoman spinster stewardess seamstress nanny midwife housewife gal lass lassie
damsel stepmother stepdaughter godmother schoolgirl stepsister mare hen cow matron
dowager sorceress priestess heiress madam ma'am miss mademoiselle signora parlourmaid
chambermaid gipsy ladyship
"""

_PERSON_NOUNS = """
person people child children kid kids baby babies infant teenager adult adults parent
parents grandparent grandparents cousin cousins sibling siblings twin twins friend
friends companion companions stranger strangers neighbour neighbours neighbor neighbors
guest guests visitor visitors host lover lovers couple spouse partner partners enemy
enemies victim victims survivor doctor doctors nurse nurses surgeon physician patient
patients teacher teachers professor student students pupil pupils scholar scientist
scientists lawyer lawyers attorney judge jury witness witnesses detective detectives
inspector officer officers cop cops agent agents guard guards soldier soldiers captain
colonel general major lieutenant sergeant corporal commander admiral pilot driver
passenger passengers sailor sailors crew servant servants slave slaves cook chef butcher
baker farmer farmers shepherd hunter hunters worker workers labourer clerk secretary
boss manager assistant employee employees owner customer customers client clients
merchant dealer banker president minister senator governor mayor chancellor ambassador
citizen citizens writer author poet artist painter musician singer dancer player players
coach editor reporter journalist photographer leader leaders chief ruler traveller
travellers traveler travelers tourist tourists thief thieves robber murderer killer
assassin criminal prisoner prisoners rebel spy pirate warrior warriors fighter champion
hero orphan heir creature creatures folk crowd mob gang newcomer new-comers newcomers
intruder intruders outsider outsiders speaker listener reader gentlefolk villager
villagers native natives foreigner foreigners american americans tenant tenants suitor
suitors vampire vampires werewolf demon angel angels ghost wretch beggar beggars fool
idiot genius darling sweetheart bastard kinsman relative relatives relation ancestor
developer designer mechanic receptionist accountant auditor cashier cleaner counselor
housekeeper librarian attendant carpenter janitor analyst salesperson hairdresser tailor
supervisor ceo laborer mover bartender barman usher messenger porter coachman sentry
scout
"""

_GROUP_NOUNS = """
people men women children police folk couple crowd family crew team army group gang jury
audience public clergy
"""

_PLACE_NOUNS = """
house houses home room rooms kitchen bedroom bathroom drawing-room dining-room parlour
parlor hall hallway library office cabin hut cottage castle palace tower church chapel
cathedral school college hospital hotel inn pension tavern bar restaurant cafe café shop
store market bank station prison jail court building buildings apartment flat barn
garage stable mill factory theatre theater museum village town towns city cities street
streets road roads lane avenue square park garden gardens yard courtyard field fields
farm forest wood woods mountain mountains hill hills valley island islands river lake
sea ocean coast shore beach desert country kingdom land state county parish district
world earth camp bridge harbour harbor port ship ships boat boats train car cars cab
taxi carriage coach wagon cart truck bus van plane aeroplane airplane helicopter canoe
yacht vessel schooner steamer rectory parsonage vicarage estate mansion villa study
terrace porch verandah veranda balcony cellar attic basement corridor club colony
republic province territory neighbourhood neighborhood
"""

# They stand where a name stands, without a determiner: "where mother lived".
KIN = frozenset(
    """
    mother father mom mommy mum mummy mama mamma dad daddy papa pa ma grandma grandpa
    granny grandmother grandfather auntie nana
    """.split()
)

# They call somebody without a determiner: "eat your dinner , dear".
VOCATIVES = frozenset(
    """
    dear dearest darling honey sweetheart sweetie sir madam ma'am miss baby love boys
    girls gentlemen ladies child son doctor captain
    """.split()
)

_MALE_NAMES = """
john james william robert charles george thomas henry edward joseph david michael
richard peter paul daniel mark matthew andrew simon stephen steven jack tom jim bob bill
joe sam ben dan mike dave nick rick tim tony greg jeff scott eric kevin brian ryan adam
alan alex alexander anthony arthur albert alfred frank fred frederick harry hugh ian
jacob jake jason jeremy jerry jonathan josh joshua justin kyle larry luke martin max
nathan neil nicholas noah oliver oscar patrick philip phillip ralph ray roger ronald
ross samuel sean seth stanley ted terry theodore victor vincent walter wayne will zach
zachary aaron aidan aiden bruce carl christopher chris colin connor craig dean dennis
derek dominic donald douglas duncan dylan edgar edwin elijah eli ethan evan francis
gabriel gavin geoffrey gerald gilbert gordon graham harold herbert howard isaac ivan jay
joel jose juan keith kenneth kurt lance leo leon leonard lewis liam logan louis lucas
marcus mario maurice miles mitchell morris nigel norman owen pedro pierre randy reginald
rupert russell sebastian stuart todd travis trevor tyler vernon wesley xavier gregory
lawrence eugene raymond jeffrey edmund ernest clarence horace chester ned hal gus otto
carlos miguel luis drew diego antonio hans karl ahmed ali omar muhammad raj hiroshi
"""
_FEMALE_NAMES = """
mary elizabeth anne ann anna jane sarah margaret emma emily alice charlotte lucy kate
katherine catherine kathleen kathy susan susie nancy helen ruth rachel rebecca laura
linda lisa maria marie martha amy amanda angela barbara beth betty carol caroline carrie
cathy christina christine claire clara cynthia daisy deborah diana diane donna dorothy
edith eleanor ella ellen ellie esther eva eve evelyn fiona florence frances gloria grace
gwen hannah harriet heather irene isabel isabella jackie jacqueline janet janice jean
jennifer jenny jessica jessie jill joan joanna josephine joyce judith judy julia julie
karen katie kelly kim lauren leah lena lillian lily lizzie lois lola louisa louise lydia
maggie marian marianne marilyn marjorie megan melanie melissa mia michelle mildred molly
monica nadia natalie natasha nicole nina nora olivia pamela patricia paula pauline peggy
penelope phoebe polly priscilla rachael rita roberta rosa rosalind rose rosemary
samantha sandra sally sharon sheila shirley sophia sophie stacy stella stephanie sue
susanna sylvia tamara tara teresa tess tiffany tina tracy ursula valerie vanessa vera
veronica victoria violet virginia vivian wendy yvonne zoe abigail agatha agnes audrey
beatrice bella bridget chloe edna eliza elsie ethel fanny georgia hilda holly ida
jocelyn juliet lorna mabel madeline matilda maud miranda muriel myra olive pearl ruby
sadie sabrina selena serena tessa winifred amelia ava abby gertrude minnie
"""


def _words(*blocks: str) -> frozenset[str]:
    return frozenset(word for block in blocks for word in block.split())


MALE_TITLES = _words(_MALE_TITLES)
FEMALE_TITLES = _words(_FEMALE_TITLES)
TITLES = MALE_TITLES | FEMALE_TITLES | _words(_OTHER_TITLES)
MALE_NOUNS = _words(_MALE_NOUNS)
FEMALE_NOUNS = _words(_FEMALE_NOUNS)
PERSON_NOUNS = _words(_PERSON_NOUNS) | MALE_NOUNS | FEMALE_NOUNS
GROUP_NOUNS = _words(_GROUP_NOUNS)
PLACE_NOUNS = _words(_PLACE_NOUNS)
MALE_NAMES = _words(_MALE_NAMES)
FEMALE_NAMES = _words(_FEMALE_NAMES)

# They end as words for people do.
THINGS = _words(
    """
    letter water paper newspaper dinner supper door floor corner computer river number
    matter weather summer winter finger shoulder mirror ladder flower power tower drawer
    counter cover border butter chapter cigar center centre anger danger color colour
    liver leather feather temper pepper silver copper order odor odour vapor fever
    hunger thunder whisper laughter slaughter murder disorder trailer elevator escalator
    monitor radiator generator calculator motor tractor reactor sector factor error
    terror horror armor armour honor honour favor favour harbor harbour labor labour
    humor humour rumor rumour vigor tumor meteor anchor razor sweater slipper boxer
    trigger layer powder shower timer printer scanner server folder hammer poster
    quarter register answer prayer offer shelter chamber character dagger banner manner
    lumber timber cellar bumper burner blender container dispenser dresser freezer
    heater locker pitcher plaster platter pointer roller rubber saucer scooter skewer
    sticker stroller tanker toaster helicopter theater theatre coffee knee tree
    committee fee bee degree
    """
)

IRREGULAR_PLURALS = _words(
    """
    men women children people folk mice feet teeth geese oxen wives lives police cattle
    gentlemen policemen clergymen businessmen workmen noblemen fishermen firemen
    frenchmen englishmen footmen
    """
)
PERSON_ENDINGS = (
    "man",
    "woman",
    "men",
    "women",
    "ist",
    "ess",
    "ian",
    "eer",
    "person",
)
"""Endings of nouns for people; "-er" and "-or" end too many other nouns."""

# Names of times and of what nobody is called: capitals or not, they are no entities.
TIMES = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march
    april may june july august september october november december christmas easter
    spring summer autumn winter day days night nights morning mornings afternoon evening
    week weeks month months year years hour hours minute minutes moment moments second
    seconds time times today tomorrow yesterday tonight midnight noon dawn century while
    """
)
# Nouns that need no determiner: one before a verb is no sign of a name.
MASS_NOUNS = _words(
    """
    silence darkness light water blood fire air music love death life time god heaven
    hell people men women children things nothing anger fear pain hope tears smoke dust
    snow rain ice wind sleep food wine tea coffee money work school church dinner lunch
    supper breakfast bed home town war peace power sweat panic laughter relief confusion
    shock thunder lightning night day morning evening sunlight moonlight sunshine grief
    joy guilt rage hate luck fate chaos adrenaline heat steam hair skin glass wood stone
    gold silver iron steel paper traffic help trouble business truth history nature
    society reason curiosity instinct logic magic energy gravity
    """
)
