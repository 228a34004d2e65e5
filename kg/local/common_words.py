"""Common English words that genes, cell lines and clinical abbreviations are also called by."""

from __future__ import annotations

from kg.text import STOP_WORDS

__all__ = ["COMMON_WORDS"]

# An abbreviation spelled like one of these is meant only when it is written in its own capitals.
COMMON_WORDS = STOP_WORDS | frozenset(
    """
    able ace act add age aged aid aim air alive arc area arm art ask bad bag band bank bar base
    bat bath bed bee beef bid big bit bite blink blood blot body bone boss bow box boy brain
    bright cage calm camp cap car card care case cast cell chad chest child chip clear clip
    clock cold come cope core cover cream cry cup dare dark data date dead deal dear death diet
    dim dock dog dose dot dry dull ear early east eat egg ever eye face fact fall fan far fast
    fat fear feel felt fever few fine fire fish fit flag flame flat flight foam food foot form
    free fresh full fun gap gas gate gene girl glad golf gum gut guy hair half hand hard harm
    head heal hear heart heat heel high hip hit hold hole home hook hope host hot hour huge
    hurt ice ill impact inch ink insight iron jaw jet job join joint jump keen kid kill kin
    king kiss knee lab lack lamp land large laser late law lay leg life lift light lime limp
    line link lip live load local lone loss loud love low lung mad magic man map mark mars mask
    mass mast mat max meal meat men mental mice mild milk mind mint miss mix mode mole mood
    moon move nail neck nerve net news nice nod noise nose note numb nut odd oil onset open
    order pack pad pain pair pale palm pan pants par park past patch path pay peak pen pet
    phase pig pill pin pit plan plate play plug plus polar pool poor port pose pot press prey
    pump push race rag rain rank rap rare rash rat rate raw ray real red rib rice rich ride
    ring rise risk road rock rod role roll room root rope rough row rub run sad safe salt sand
    save scan sea seat selfish sense sham shape share ship shock shoe short shot shy sick sign
    sir sit size ski skin skip sleep slim slow small smell smoke sock soft sore sort speech
    spin spot spring stain star stay step stiff stop strong suit sun sure swim tail talk tall
    tan tank tap task taste tea team tear teen test thin tie tight tip tired toe tone tongue
    tooth top touch toy trail train trap travel tray tree trial trio trip true try tube turn
    twin type urine vein view void wait wake walk wall war warm wars wash watch water wave weak
    wear week weight wet wide wife wild win wind wing wire wise wish wisp woman wood wool word
    work worm worry worse wound wrist yard year yeast young zinc zip zone
    """.split()
)
