"""The figures that the documents compare with papers: computed again, and written into the pages.

`stored/` holds what the commands printed. Tables of README and docs are made of it, and stand
between `<!-- figures: NAME -->` and `<!-- end of figures -->`.
"""
