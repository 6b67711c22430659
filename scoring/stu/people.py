"""Words that tell of a person: roles and titles, and given names by the pronoun they go with."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TITLES = _words(
    """
    dame dr lady lord miss mr mrs ms prof professor sir
    """
)
# Names that both go by, or that are as often surnames, are left out.
MALE = _words(
    """
    actor boy brother businessman congressman dad duke father frenchman grandfather gunman
    husband king lord man mr policeman prince sir son waiter adam alan albert alexander alfred
    andrew andy anthony antonio arthur barack barry ben benjamin bill bob boris brian bruce
    carl carlos charles charlie chris christopher daniel danny dave david dennis diego donald
    douglas ed edward eric frank fred gareth gary george gerard gordon graham greg harry henry
    hugh ian jack jacob jake james jamie jason jeff jeremy jim jimmy joe joel john jonathan
    jose joseph josh juan jurgen justin karl keith ken kevin leo liam lionel louis luis luke
    marcus mark martin matt matthew michael mick miguel mike mohamed mohammed nathan neil
    nicholas nick nigel oliver oscar patrick paul pedro peter phil philip rafael richard rob
    robert roger ron ronald roy ryan samuel sean sebastian sergio simon stephen steve steven
    stuart ted terry thomas tim tom tommy tony vladimir walter wayne william zlatan
    """
)
FEMALE = _words(
    """
    actress brunette dame daughter duchess girl grandmother lady miss mom mother mrs ms mum
    princess queen sister waitress widow wife woman abigail alice alison amanda amber amy
    angela angelina ann anna anne annie audrey barbara beth betty beyonce bianca carol
    caroline carrie catherine charlotte cheryl chloe christina christine claire clare danielle
    debbie deborah diana diane donna dorothy elena elizabeth ella ellen emily emma erin eva
    evelyn fiona frances gemma georgia gina grace hannah hayley heather helen hillary holly
    irene isabel jacqueline jane janet jasmine jennifer jenny jessica jill joan joanna jodie
    josephine joyce judith julia julie karen kate katherine kathleen katie katy kylie laura
    lauren leah lily linda lisa louise lucy lynn madonna margaret maria marie martha mary
    megan melanie melissa michelle miley nancy naomi natalie natasha nicola nicole olivia
    pamela patricia paula penelope rachel rebecca rihanna rita rosie ruth samantha sandra sara
    sarah serena sharon sheila shirley sophie stephanie susan susie teresa theresa tina tracy
    vanessa venus victoria virginia yvonne zoe
    """
)
ROLES = _words(
    """
    ace actor actress argentine artist athlete attacker attorney author beauty billionaire
    bishop blonde boss boxer boy brazilian broadcaster brunette businessman candidate captain
    celebrity chairman champion chancellor chef coach comedian congressman dad daughter
    defender designer director doctor dominatrix driver duchess duke engineer entrepreneur
    executive farmer father fighter footballer forward founder frenchman general german girl
    goalkeeper golfer governor grandfather grandmother gunman husband immigrant inmate italian
    jockey journalist judge killer king lawmaker lawyer leader legend man manager mayor
    midfielder millionaire minister model mom mother mum murderer musician native nurse
    officer owner passenger patient pensioner pilot player playmaker policeman politician pope
    presenter president priest prince princess prisoner professor pupil queen rapist rapper
    refugee reporter researcher rider runner scientist senator sergeant singer skipper soldier
    son spaniard star striker student surgeon suspect swimmer teacher teen teenager thief
    veteran victim waitress widow wife winger woman worker writer youngster
    """
)
