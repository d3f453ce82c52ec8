"""The singular of an English noun, so that "mice" can be linked with "mouse".

The rules and lists were written from general knowledge of English spelling. Without
part-of-speech tags a word in -s may be a plural, a name or a verb; the lists hold the
everyday words that the rules would get wrong.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IRREGULAR = dict(
    pair.split("/")
    for pair in """
    men/man women/woman children/child people/person feet/foot teeth/tooth geese/goose
    mice/mouse dormice/dormouse lice/louse oxen/ox brethren/brother pence/penny
    firemen/fireman policemen/policeman gentlemen/gentleman grandchildren/grandchild
    wolves/wolf werewolves/werewolf knives/knife lives/life wives/wife
    housewives/housewife midwives/midwife halves/half calves/calf leaves/leaf
    loaves/loaf thieves/thief shelves/shelf bookshelves/bookshelf selves/self elves/elf
    sheaves/sheaf scarves/scarf hooves/hoof wharves/wharf dwarves/dwarf
    gases/gas atlases/atlas canvases/canvas biases/bias aliases/alias lenses/lens
    irises/iris quizzes/quiz whizzes/whiz axes/axe aches/ache headaches/headache
    toothaches/toothache caches/cache moustaches/moustache mustaches/mustache
    avalanches/avalanche psyches/psyche shoes/shoe horseshoes/horseshoe toes/toe
    tiptoes/tiptoe canoes/canoe foes/foe woes/woe hoes/hoe oboes/oboe
    uses/use excuses/excuse fuses/fuse abuses/abuse ruses/ruse muses/muse
    recluses/recluse movies/movie cookies/cookie zombies/zombie calories/calorie
    brownies/brownie rookies/rookie selfies/selfie genies/genie pixies/pixie
    prairies/prairie birdies/birdie hippies/hippie hoodies/hoodie smoothies/smoothie
    collies/collie budgies/budgie magpies/magpie neckties/necktie goalies/goalie
    crises/crisis oases/oasis analyses/analysis hypotheses/hypothesis theses/thesis
    diagnoses/diagnosis parentheses/parenthesis neuroses/neurosis synopses/synopsis
    criteria/criterion phenomena/phenomenon bacteria/bacterium cacti/cactus fungi/fungus
    nuclei/nucleus stimuli/stimulus alumni/alumnus larvae/larva vertebrae/vertebra
    matrices/matrix vertices/vertex appendices/appendix
    """.split()
)

# Words in -s, or irregular ones, that are no plurals or have no other form.
_UNCHANGED = _words(
    """
    series species means news lens chaos cosmos ethos pathos asbestos rhinoceros gas
    atlas canvas bias alias pancreas christmas pyjamas pajamas trousers pants jeans
    shorts tights scissors pliers tongs binoculars clothes thanks alms headquarters
    barracks gallows outskirts riches mathematics maths physics politics ethics
    athletics gymnastics electronics economics linguistics measles mumps rabies scabies
    diabetes herpes
    as was has does its his hers ours yours theirs whose this thus yes us plus minus
    always perhaps besides towards forwards backwards upwards downwards inwards
    outwards afterwards sometimes nowadays upstairs downstairs indoors outdoors
    overseas whereas unawares regards alas sideways oops whereabouts corps
    themselves ourselves yourselves
    says goes gets comes knows thinks wants seems makes gives takes sees asks tells
    becomes keeps lets brings begins belongs sits eats needs goes loses likes
    """
)

# Given names, family names and places in -s that the rules would cut, but for those
# that are everyday plurals as well ("rivers", "miles").
_NAMES = _words(
    """
    james charles thomas tomas nicholas nikolas niklas phineas jacques jules lucas
    jonas elias tobias matthias silas judas midas agnes frances hans giles moses
    gladys dolores ines mercedes carlos marcos santos amos enos rhys jens niels lars
    anders andreas barnabas demetrios aristides achilles hercules ulysses socrates
    sophocles euripides archimedes hades mars jones williams adams hughes edwards
    roberts phillips evans stevens rogers collins watkins jenkins hopkins perkins
    dickens hayes andrews matthews peters richards simmons simpsons sanders saunders
    daniels samuels michaels myers meyers holmes keynes yates barnes cummings
    hastings gibbs reyes sykes hendricks rawlings hawkins higgins tompkins dawkins
    mathews reynolds reeves texas kansas arkansas illinois massachusetts dallas
    vegas angeles athens brussels naples wales netherlands philippines honduras
    bahamas barbados maldives alps andes himalayas laos lagos ganges thames orleans
    calais nantes marseilles versailles
    """
)

_SINGULARS = frozenset(_IRREGULAR.values())
# Behind these the plural has -es; "-zes" is that of "-ze" but for the two here.
_HISSES = ("ches", "shes", "sses", "xes", "zzes", "tzes")
_SHORTEST_PLURAL = 4


def singular(token: str) -> str:
    """Gives the singular of a plural noun, and every other word as it came.

    A form that is both a plural and a verb ("leaves") is read as a plural. Of
    compounds with hyphens the last part is inflected. Tokens are lower case: one with
    a capital is taken for a name, one with another mark than a hyphen for no noun.

    Args:
        token: One word.

    >>> [singular(word) for word in "mice wolves cats boxes cities sheep bus".split()]
    ['mouse', 'wolf', 'cat', 'box', 'city', 'sheep', 'bus']
    """
    before, hyphen, last = token.rpartition("-")
    if not last.isalpha() or token != token.lower():
        return token
    return before + hyphen + _singular(last)


def _singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _UNCHANGED or word in _NAMES or word in _SINGULARS:
        return word
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s"):
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        # "pies" and "ties" are too short to be those of "py" and "ty".
        return word[:-1] if len(word) == _SHORTEST_PLURAL else word[:-3] + "y"
    if word.endswith(("ouses", "auses")):
        return word[:-1]
    if word.endswith((*_HISSES, "uses", "oes")):
        return word[:-2]
    return word[:-1]
