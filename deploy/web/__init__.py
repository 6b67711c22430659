"""The web server: an event loop that waits for clients, and threads that run the product.

A thread is taken when a request is whole and given back when the product has answered, however
slowly the client sends and reads. docs/decisions.md has the alternatives and the figures.
"""
