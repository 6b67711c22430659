"""Words that tell of a person: roles, titles, and given names by the pronoun that goes with them."""

from __future__ import annotations

TITLES = frozenset("mr mrs ms miss dr sir lady lord dame prof professor".split())
MALE = frozenset(
    """mr sir lord king prince duke father son brother husband dad boy man
    adam alan albert alex alexander alfred andrew andy anthony antonio arthur barack barry ben benjamin bill
    bob boris brian bruce carl carlos charles charlie chris christian christopher daniel danny dave david
    dennis diego donald douglas ed edward eric frank fred gareth gary george gerard gordon graham greg harry
    henry hugh ian jack jacob jake james jamie jason jeff jeremy jim jimmy joe joel john jonathan jordan jose
    joseph josh juan jurgen justin karl keith ken kevin lee leo lewis liam lionel louis luis luke marcus mark
    martin matt matthew michael mick miguel mike mohamed mohammed nathan neil nicholas nick nigel oliver oscar
    patrick paul pedro peter phil philip ray rafael richard rob robert roger ron ronald ross roy ryan sam samuel
    scott sean sebastian sergio simon stephen steve steven stuart ted terry thomas tim tom tommy tony vladimir
    walter wayne will william zlatan""".split()
)
FEMALE = frozenset(
    """mrs ms miss lady dame queen princess duchess mother daughter sister wife mum mom girl woman
    abigail alice alison amanda amber amy andrea angela angelina ann anna anne annie audrey barbara beth betty
    beyonce bianca carol caroline carrie catherine charlotte cheryl chloe christina christine claire clare
    danielle deborah debbie diana diane donna dorothy elena elizabeth ella ellen emily emma erin eva evelyn
    fiona frances gemma georgia gina grace hannah hayley heather helen hillary holly irene isabel jacqueline
    jane janet jasmine jean jennifer jenny jessica jill joan joanna jodie josephine joyce judith julia julie
    karen kate katherine kathleen katie katy kelly kim kylie laura lauren leah lily linda lisa louise lucy
    lynn madonna margaret maria marie martha mary megan melanie melissa michelle miley nancy naomi natalie
    natasha nicola nicole olivia pamela patricia paula penelope rachel rebecca rihanna rita rose rosie ruth
    samantha sandra sara sarah serena sharon sheila shirley sophie stephanie susan susie taylor teresa theresa
    tina tracy vanessa venus victoria virginia yvonne zoe""".split()
)
ROLES = frozenset(
    """man woman boy girl teenager teen youngster mother father mum dad mom grandmother grandfather wife husband
    widow son daughter star actor actress singer rapper musician comedian presenter broadcaster journalist
    reporter author writer artist director designer model celebrity player footballer striker midfielder
    defender goalkeeper forward winger captain skipper coach manager boss champion athlete runner jockey golfer
    swimmer boxer fighter driver rider pilot officer policeman soldier sergeant veteran general president
    minister senator congressman mayor governor politician leader chancellor lawmaker candidate king queen
    prince princess duchess duke pope bishop priest judge lawyer attorney doctor surgeon nurse teacher professor
    student pupil scientist researcher engineer businessman entrepreneur millionaire billionaire founder
    chairman executive owner prisoner inmate suspect killer murderer attacker gunman rapist thief victim patient
    immigrant refugee pensioner brunette blonde beauty dominatrix native passenger worker waitress chef farmer
    legend ace playmaker spaniard frenchman german italian argentine brazilian""".split()
)
