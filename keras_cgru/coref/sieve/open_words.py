"""The commonest verbs, adjectives and adverbs: where a noun phrase ends.

Without a tagger the end of a noun phrase must be told from the words: a verb ends it.
Regular forms are made from the bases, irregular ones are listed. Written from general
knowledge of English.
"""

from __future__ import annotations

_VERBS = """
accept ache act add admit adore agree aim allow annoy announce answer appear approach
argue arrive ask assume attack avoid bang bark base bathe beam beg behave belong bend
blame blink bloom blow blurt blush boil borrow bother bounce bow break breathe bring
brush build bump burn burst bury buy call calm care carry catch cause change charge
chase chat check cheer chew choke choose chuckle claim clamber clap clean clear climb
cling close collapse collect come comfort complain concern confess confirm connect
consider contain continue convince cook cough count cover crack crash crawl creep cross
crouch crush cry curl curse cut damage dance dare decide declare demand deny depend
descend describe deserve desire destroy die dig disappear discover discuss dive divide
doubt drag draw dread dream dress drift drink drive drop drown dry earn ease eat embrace
emerge encourage end enjoy enter escape examine exchange exclaim exist expect explain
explode explore face fade fail faint fall fasten fear feed feel fetch fight fill find
finish fit fix flash flee flick flinch fling flip float flood flow flush fly fold follow
force forget forgive form freeze frown gasp gather gaze get giggle give glance glare
glow go grab grasp greet grin grip groan grow growl guard guess guide gulp halt hang
happen hate haul hear heat help hesitate hide hit hold hope hover howl hug hum hunt
hurry hurt imagine inform insist intend interrupt introduce invite jerk join joke jump
keep kick kill kiss kneel knit knock know land laugh launch lay lead lean leap learn
leave lend let lick lie lift light linger listen live load lock long look loom lose love
lower lunge manage march mark marry matter mean meet melt mention mind miss moan move
mumble murmur murder mutter need nod note notice nudge obey observe occur offer open
order owe own pace pack paint pant park part pass pat pause pay peek peel peer perform
persuade pick place plan play plead point pour pray prefer prepare press pretend prevent
proceed produce promise protect prove provide pull punch push put question race raise
reach read realise realize recall receive recognise recognize recover refuse regain
regard regret reject relax release remain remark remember remind remove repeat reply
request require rescue respond rest return reveal ride ring rise roar roll rouse rub run
rush sail save say scan scare scratch scream search see seek seem seize sell send sense
separate serve set settle shake share shatter shift shine shiver shoot shout shove show
shrug shudder shut sigh sing sink sit skip slam slap sleep slide slip slow smell smile
smoke snap snatch sneer sniff snort sob sound spare speak spend spill spin spit split
spread spring squeeze squint stab stagger stand stare start startle state stay steal
steer step stick stir stop straighten stretch stride strike stroke struggle study
stumble succeed suffer suggest suit suppose surprise surrender surround survive suspect
swallow swear sweat sweep swim swing take talk tap taste teach tear tease tell tempt
tend thank think threaten throw tie tighten tilt toss touch trace trail travel treat
tremble trip trust try tuck tug turn twist understand urge use vanish visit wait wake
walk wander want warn wash watch wave wear weep weigh welcome whirl whisper whistle win
wince wink wipe wish wonder work worry wrap write yank yawn yell yield accompany address
admire advance advise afford alter amuse appoint arrange arrest assist assure astonish
attempt attend bear beat become begin bestow betray bid bind bless boast cease chance
command compare complete conceal conclude conduct confine congratulate consent consult
contemplate content contrive converse convey deal decline delight deliver depart detect
determine devote dine direct disappoint dismiss display dispose dwell elapse employ
endeavour endure engage entertain establish excite excuse exert express extend fancy
feign fulfil furnish gain gratify haste hasten honour hurl impart implore impress
incline indulge inherit injure inquire inspire interest judge labour lament loathe
maintain measure mount neglect object oblige obtain occupy offend oppose overcome
partake perceive permit pity please plunge possess practise praise preserve preside
prevail procure prolong pronounce propose punish pursue quarrel quit quiver rejoice
relate relieve rely render renew repent repose resemble resent resign resist resolve
restore retain retire retreat reward scold scorn shed shelter shriek slay smite soothe
spoil stoop strive submit suspend sustain tire torment transfer trouble undergo
undertake utter venture vex vow wound
"""

# base: past and participle
_IRREGULAR = """
said went gone knew known came took taken gave given made told felt stood sat began
begun kept held wrote written brought thought saw seen got gotten found heard left ran
became sent met spoke spoken lay lain laid drew drawn fell fallen broke broken threw
thrown rose risen drove driven grew grown wore worn caught bought taught fought sought
led fed fled bled bred read sold won hung swung spun stuck struck dug clung flung slung
stung wrung rang rung sang sung sank sunk drank drunk swam swum shrank shrunk sprang
sprung swore sworn tore torn bore borne beat beaten bit bitten hid hidden ate eaten
forgot forgotten forgave forgiven froze frozen chose chosen stole stolen woke woken
awoke shook shaken mistook rode ridden blew blown flew flown lost shot shone slept wept
swept crept leapt dreamt meant dealt knelt dwelt spent bent lent built burnt learnt
spilt spelt smelt understood withdrew withdrawn overheard undid undone done been bade
bid forbade cut put let set hit hurt shut burst cast cost spread split quit slid lit
sped slit strode strove trod wound bound ground wed overtook paid sewn shown slew slain
arose arisen foresaw beheld besought upheld
"""

_THIRD_PERSON = "says goes comes does knows thinks tells gets sits makes takes gives"

_ADJECTIVES = """
able absent afraid aged alive alone ancient angry anxious asleep awake aware awful bad
bare beautiful beloved best better big bitter black blind blond blonde blue bold brave
brief bright brilliant broad brown busy calm careful cheap cheerful chief civil clean
clear clever close cold comfortable common complete cool crazy cruel curious damn dark
dead deaf dear deep delicate delightful desperate different difficult dim dirty distant
double drunk dry due dull eager early eastern easy elder elderly eldest elegant empty
enormous entire equal evil excellent exact faint fair false familiar famous fat
favourite favorite feeble few fierce final fine firm fit flat fond foolish foreign
former free frequent fresh friendly front full funny general generous gentle giant glad
good grand grave gray great greater greatest green grey guilty handsome happy hard harsh
healthy heavy hidden high higher hollow holy honest hot huge human humble hungry idle
ill immense innocent intelligent just keen kind large larger largest last late latter
lazy lean least left less lesser light like little living local lone lonely long longer
loose loud lovely low lower loyal lucky mad main male married mean mere merry mighty
mild miserable modern more most mutual naked narrow nasty native natural neat necessary
new nice noble noisy northern numerous odd old older oldest only open opposite ordinary
other own pale particular past patient peculiar perfect plain pleasant poor possible
powerful precious present pretty previous prim principal private proper proud public
pure quick quiet rapid rare raw ready real red remote rich right ripe rough round royal
rude sacred sad safe same scared secret senior separate serious several severe shallow
sharp short shy sick silent silly similar simple single slender slight slim slow small
smaller smart smooth sober soft sole solemn solid sore sorry sour southern special
splendid stale steady steep stern stiff still stout straight strange strict strong
stupid sudden sure sweet swift tall tame tender terrible thick thin thirsty tight tiny
tired total tough true ugly unknown upper upset usual various vast very violent warm
weak wealthy weary weird western wet white whole wicked wide wild wise wonderful worse
worst worthy wrong yellow young younger youngest first second third fourth fifth next
certain female fellow grown-up genteel gracious pious prudent mute blank brisk crisp
"""

_ADVERBS = "alike apiece askew astray fast soon sooner hard"


def _third_person(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeou":
        return base[:-1] + "ies"
    return base + "s"


ADJECTIVES = frozenset(_ADJECTIVES.split())
ADVERBS = frozenset(_ADVERBS.split())
VERB_BASES = frozenset(_VERBS.split())
VERB_PASTS = frozenset(_IRREGULAR.split())
VERB_THIRDS = frozenset(map(_third_person, VERB_BASES)) | set(_THIRD_PERSON.split())

ADJECTIVE_ENDINGS = (
    "ous",
    "ful",
    "able",
    "ible",
    "less",
    "ive",
    "ish",
    "ical",
    "esque",
    "some",
)
NOUN_ENDINGS = ("ness", "tion", "sion", "ment", "ity", "ship", "hood", "ism", "ance")
NOT_ADVERBS = frozenset(
    """
    family july bully belly lily ally jelly reply supply butterfly fly assembly monopoly
    anomaly folly rally italy elderly lovely lonely friendly ugly holy silly early only
    daily deadly likely lively cowardly costly ghostly heavenly homely kindly manly
    motherly worldly chilly curly hilly orderly billy molly sally kelly polly emily
    beverly lilly willy holly dolly shelly wally reilly carly
    """.split()
)
NOT_ING = frozenset(
    """
    king ring thing string wing spring ceiling evening morning wedding building sibling
    darling duckling clothing stocking earring pudding sterling herring viking being
    something anything nothing everything feeling meeting painting beijing hireling
    underling lightning
    """.split()
)
NOT_ED = frozenset(
    """
    bed red shed sled weed seed deed breed speed need feed reed greed creed hundred ted
    fred ned ed alfred wilfred jared mohammed winifred mildred steed bleed tweed embed
    """.split()
)
