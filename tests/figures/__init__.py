"""The figures that the documents compare with papers: computed again, and written into the pages.

`stored/` holds what the commands printed. Tables of the documents are made of it, between
`<!-- figures: NAME -->` and `<!-- end of figures -->`.
"""
