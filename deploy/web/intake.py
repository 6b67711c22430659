"""What a process takes in of bodies that are not answered yet, and of whom.

All of it happens in the loop, so that nothing here needs a lock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

from deploy.web.outbox import Gone

# Of one body; what is larger goes to disk.
IN_MEMORY = 2**18
# Of all bodies of a process; beyond it, small ones go to disk as well.
MOST_IN_MEMORY = 2**26
# Of all strangers together: of everybody whose body is so small that nobody looked up who sends it,
# and of workers' answers.
MOST_OF_STRANGERS = 2 * 2**30
# How many of the largest bodies one account may send at a time.
AT_A_TIME = 2


class TooMany(Exception):
    """One account sends too much at a time."""


class NoSpace(Exception):
    """Strangers have sent too much that is not answered yet."""


class Intake:
    """The room for bodies, shared by a process."""

    def __init__(self, memory: int = MOST_IN_MEMORY, strangers: int = MOST_OF_STRANGERS) -> None:
        self.memory = memory
        self.strangers = strangers
        self.accounts: Counter[str] = Counter()
        # Strangers' bodies of which more is awaited, the oldest first.
        self.arriving: dict[Share, None] = {}


class Share:
    """What one request holds of it; given back at its end."""

    def __init__(self, intake: Intake, cut_off: Callable[[], None]) -> None:
        self._intake = intake
        self._cut_off = cut_off
        self._account = ""
        self._of_account = self._of_stranger = self._in_memory = 0
        self._is_on_disk = self._is_let_go = False

    def hold_for_account(self, size: int, account: str, most: int) -> None:
        """So much is announced, or has come, of somebody who was looked up."""
        more = size - self._of_account
        if more <= 0:
            return
        if self._intake.accounts[account] + more > AT_A_TIME * most:
            raise TooMany
        self._account = account
        self._of_account += more
        self._intake.accounts[account] += more
        self._give_back_strangers()

    def hold_for_stranger(self, size: int) -> None:
        """So much has come of somebody else. What takes longest to arrive makes room for it."""
        if self._is_let_go:
            raise Gone("The body made room for those of others.")
        more = size - self._of_stranger
        if not more:
            return
        self._intake.arriving[self] = None
        while self._intake.strangers < more:
            slowest = next((one for one in self._intake.arriving if one is not self), None)
            if slowest is None:
                raise NoSpace
            slowest._let_go()
        self._of_stranger += more
        self._intake.strangers -= more

    def note_end(self) -> None:
        """Nothing more is read of it: it will be answered, and is no longer cut off for others."""
        self._intake.arriving.pop(self, None)

    def takes_memory(self, size: int) -> bool:
        """Whether so much more of the body may stay in memory; if not, nothing of it may."""
        if self._is_on_disk:
            return False
        if self._in_memory + size > IN_MEMORY or size > self._intake.memory:
            self._is_on_disk = True
            self._give_back_memory()
            return False
        self._in_memory += size
        self._intake.memory -= size
        return True

    def _let_go(self) -> None:
        self._is_let_go = True
        self._give_back_strangers()
        self._cut_off()

    def _give_back_strangers(self) -> None:
        self._intake.arriving.pop(self, None)
        self._intake.strangers += self._of_stranger
        self._of_stranger = 0

    def _give_back_memory(self) -> None:
        self._intake.memory += self._in_memory
        self._in_memory = 0

    def __enter__(self) -> Share:
        return self

    def __exit__(self, *_: object) -> None:
        self._give_back_strangers()
        self._give_back_memory()
        self._intake.accounts[self._account] -= self._of_account
        if not self._intake.accounts[self._account]:
            del self._intake.accounts[self._account]


class Limit:
    """How much may be sent. Who sends more than everybody may is looked up once, when needed."""

    def __init__(self, everybody: int, find: Callable[[], Awaitable[int]]) -> None:
        self.most = everybody
        self._find: Callable[[], Awaitable[int]] | None = find

    async def allows(self, size: int) -> bool:
        if size > self.most and self._find is not None:
            find, self._find = self._find, None
            self.most = await find()
        return size <= self.most
