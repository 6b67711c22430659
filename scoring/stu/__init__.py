"""Semantic Triplet Units: short sentences that stand in for human content units (§3.2).

Zhang & Bansal, *Finding a Balanced Degree of Automation for Summary Evaluation*, EMNLP 2021.
"""
