"""Porter's stems, as his paper and ROUGE's reference program give them."""

import pytest

from scoring.porter import porter_stem


@pytest.mark.parametrize(
    "word, stem",
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("ties", "tie"),
        ("cats", "cat"),
        ("agreed", "agre"),
        ("feed", "feed"),
        ("died", "die"),
        ("spied", "spi"),
        ("plastered", "plaster"),
        ("bled", "bled"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("conflated", "conflat"),
        ("troubling", "troubl"),
        ("sized", "size"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("hissing", "hiss"),
        ("filing", "file"),
        ("owed", "owe"),
        ("happy", "happi"),
        ("by", "by"),
        ("boy", "boy"),
        ("relational", "relat"),
        ("rational", "ration"),
        ("digitizer", "digit"),
        ("possibly", "possibl"),
        ("radically", "radic"),
        ("geology", "geolog"),
        ("apology", "apolog"),
        ("hopefully", "hope"),
        ("triplicate", "triplic"),
        ("goodness", "good"),
        ("adoption", "adopt"),
        ("onion", "onion"),
        ("adjustment", "adjust"),
        ("probate", "probat"),
        ("rate", "rate"),
        ("cease", "ceas"),
        ("controlling", "control"),
        ("roll", "roll"),
        ("dying", "die"),
        ("innings", "inning"),
        ("news", "news"),
        ("yyy", "yyy"),
        ("1990s", "1990"),
    ],
)
def test_it_finds_the_stem(word: str, stem: str) -> None:
    assert porter_stem(word) == stem
