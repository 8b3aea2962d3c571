"""Conditions that are easier to say in Python."""


def may_archive():
    return True
