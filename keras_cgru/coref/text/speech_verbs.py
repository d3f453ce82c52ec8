"""Verbs that say who speaks."""

from __future__ import annotations

SAYING = frozenset(
    """
    said says asked asks replied replies cried cries shouted shouts whispered
    whispers answered answers exclaimed exclaims yelled yells screamed screams
    called calls demanded demands muttered mutters murmured repeated added inquired
    enquired snapped growled hissed barked gasped wondered roared queried joked
    groaned moaned bellowed shrieked mumbled sighed begged pleaded insisted
    continued echoed prompted sputtered stammered
    """.split()
)
"""Verbs that hardly ever do anything but tell who speaks."""

SPEECH = SAYING | frozenset(
    """
    say saying ask asking reply replying cry crying shout shouting whisper
    whispering answer answering exclaim exclaiming yelling screaming calling
    demanding muttering murmurs murmuring repeats repeating adds adding inquires
    enquires snaps growls hisses barks gasps roars mumbles mumbling sighs begs
    insists continues continuing stuttered agreed agrees admitted announced
    announces assured began begins explained explains explaining observed remarked
    remarks responded responds retorted returned suggested suggests teased warned
    warns told tells telling thought thinks corrected countered interrupted declared
    laughed laughs chuckled giggled grinned smiled nodded persisted concluded
    ordered ordering commanded commented croaked drawled grumbled informed
    instructed interjected objected offered promised protested reminded sobbed
    snarled stated urged whined confessed conceded chimed cooed complained greeted
    guessed lied mused panted proposed pressed purred quipped reassured scoffed
    snorted spoke tell ventured yelped quoth finished went blurted breathed rasped
    wailed
    """.split()
)
"""All verbs that may stand beside a quotation and tell who speaks it."""
