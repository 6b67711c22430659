"""From the event loop to the product and back: requests whole, answers as they are read."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

from deploy.logs import NO_REQUEST
from deploy.web.environ import Environ, NoTarget, Scope, environ_of, name_of
from deploy.web.intake import Intake, Limit, NoSpace, Share, TooMany
from deploy.web.outbox import Gone, NotKept, Outbox, Shelf
from deploy.web.pace import Pace, TooSlow

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Body = tempfile.SpooledTemporaryFile[bytes]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

HARMLESS = ("GET", "HEAD")
# Where GuardedProtocol leaves the way to cut a client off.
CUT_OFF = "giza.cut_off"
# Why a body was left unread, for the product to say so in the shape that its sender reads.
TOO_LARGE, NO_ROOM = "too large", "no room"
# Lines that clients cause are counted as those about refused requests are, in deploy/logs.py.
OF_CLIENT = {"status_code": 499}
# How many requests may wait for each thread; those of clients that left are among them.
QUEUE = 20
BUSY = b"The server has too much to do. Send the request again in a few seconds.\n"
NO_TARGET = b"The address of the request cannot be read.\n"
# Where `find_limit` leaves whose a large body is.
ACCOUNT = "giza.account"
TOO_MANY = b"Your other uploads are not done yet. Wait until they are, and send this one again.\n"
# So much of the disk stays free for everything else: this, or a twentieth of a small disk.
LEAST_FREE = 2**29
TOO_SLOW = b"The request took too long to arrive. Send it again over a faster connection.\n"

logger = logging.getLogger("giza.web")


class Busy(Exception):
    """More waits for the threads already than they do in good time."""


class NoRoom(Exception):
    """The disk is full, or away."""


class Bridge:
    """`everybody` may send so many bytes; who sends more is asked of `find_limit` first.

    Under `unread` the product finds why a body was left unread: too large, or no room for it.
    """

    def __init__(
        self,
        application: Application,
        *,
        threads: int,
        folder: Path,
        everybody: int,
        find_limit: Callable[[Environ], int],
        unread: str,
    ) -> None:
        self._application = application
        self._threads = threads
        self._folder = folder
        self._everybody = everybody
        self._find_limit = find_limit
        self._unread = unread
        self._unfinished = 0
        self._intake = Intake()
        self._shelf = Shelf(waiters=max(1, threads // 4))

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        """Made by the process that uses it, after it was forked."""
        return ThreadPoolExecutor(self._threads, thread_name_prefix="request")

    @cached_property
    def _disk(self) -> ThreadPoolExecutor:
        """Writes large bodies, so that the loop does not wait for the disk."""
        return ThreadPoolExecutor(2, thread_name_prefix="disk")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with _spool(self._folder) as body, Share(self._intake, scope[CUT_OFF]) as share:
            try:
                environ = environ_of(scope, body)
                unread = await self._find_unread(environ, body, receive, share)
                environ[self._unread] = unread
                await self._answer(environ, receive, send)
            except TooSlow:
                await _refuse(send, 408, TOO_SLOW)
            except NoTarget:
                logger.warning(NO_REQUEST)
                await _refuse(send, 400, NO_TARGET)
            except TooMany:
                await _refuse(send, 503, TOO_MANY, (b"retry-after", b"30"))
            except (Busy, NoSpace):
                await _refuse(send, 503, BUSY, (b"retry-after", b"5"))
            except Gone:
                await _cut_off(scope)

    async def _find_unread(
        self, environ: Environ, body: Body, receive: Receive, share: Share
    ) -> str:
        """Read the body; why it could not be read, if it could not."""
        try:
            return "" if await self._read(environ, body, receive, share) else TOO_LARGE
        except NoRoom:
            return NO_ROOM
        finally:
            share.note_end()

    async def _read(self, environ: Environ, body: Body, receive: Receive, share: Share) -> bool:
        """The whole body, or nothing more of it once it is more than its sender may send."""
        limit = Limit(self._everybody, lambda: self._in_thread(self._find_limit, environ))
        announced = int(environ.get("CONTENT_LENGTH") or 0)
        if not await limit.allows(announced):
            return False
        if account := environ.get(ACCOUNT):
            share.hold_for_account(announced, account, limit.most)
        size, pace, more = 0, Pace(), True
        while more:
            piece, more = await _next_piece(receive, pace.seconds_left(size))
            size += len(piece)
            if not await limit.allows(size):
                return False
            if account := environ.get(ACCOUNT):
                share.hold_for_account(size, account, limit.most)
            else:
                share.hold_for_stranger(size)
            await self._write(body, piece, share)
        with _no_room():
            body.seek(0)  # writes what is still buffered
        environ["CONTENT_LENGTH"] = str(size)
        return True

    async def _write(self, body: Body, piece: bytes, share: Share) -> None:
        if share.takes_memory(len(piece)):
            body.write(piece)
            return
        with _no_room():
            await asyncio.get_running_loop().run_in_executor(self._disk, self._keep, body, piece)

    def _keep(self, body: Body, piece: bytes) -> None:
        disk = shutil.disk_usage(self._folder)
        if disk.free - len(piece) < min(LEAST_FREE, disk.total // 20):
            raise OSError(errno.ENOSPC, "There is too little free disk space")
        body.rollover()
        body.write(piece)

    def _in_thread(self, work: Callable[..., Any], *arguments: Any) -> asyncio.Future[Any]:
        if self._unfinished >= (QUEUE + 1) * self._threads:
            raise Busy
        self._unfinished += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)
        future.add_done_callback(self._count_finished)
        return future

    def _count_finished(self, _: object) -> None:
        self._unfinished -= 1

    async def _answer(self, environ: Environ, receive: Receive, send: Send) -> None:
        outbox = Outbox(self._shelf, self._folder)
        work = self._in_thread(self._run, environ, outbox)
        watch = None
        if not environ[self._unread]:  # else asking would have the client send what is refused
            watch = asyncio.ensure_future(_close_after(receive, outbox))
        try:
            await _send_all(outbox, send)
        finally:
            if watch is not None:
                watch.cancel()
            outbox.close()
            # The thread may still read the body, and learns that nobody reads when it writes next.
            await asyncio.shield(work)

    def _run(self, environ: Environ, outbox: Outbox) -> None:
        """In a thread: let the product answer, and put all of it into the outbox."""
        is_whole = False
        try:
            if not (outbox.is_closed and environ["REQUEST_METHOD"] in HARMLESS):
                self._fill(environ, outbox)
                is_whole = True
        except NotKept as reason:
            logger.error("%s: %s", name_of(environ), reason)
        except Gone as reason:
            logger.info("%s: %s", name_of(environ), reason, extra=OF_CLIENT)
        except Exception:
            logger.exception("%s broke off", name_of(environ))
        finally:
            outbox.end(is_whole=is_whole)

    def _fill(self, environ: Environ, outbox: Outbox) -> None:
        def start(status: str, headers: Iterable[tuple[str, str]], _: Any = None) -> Any:
            outbox.begin(int(status.split(" ", 1)[0]), _encode(headers))
            return outbox.write

        pieces = self._application(environ, start)
        try:
            for piece in pieces:
                outbox.write(piece)
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()


@contextlib.contextmanager
def _spool(folder: Path) -> Iterator[Body]:
    """In memory until it is moved to disk."""
    body: Body = tempfile.SpooledTemporaryFile(dir=str(folder))  # noqa: SIM115
    try:
        yield body
    finally:
        with contextlib.suppress(OSError):  # a full disk has no room for what is still buffered
            body.close()


@contextlib.contextmanager
def _no_room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        logger.error("A large body could not be written to disk: %s", error)
        raise NoRoom from error


def _encode(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    # Django writes cookies with a blank before them.
    return [(key.encode("latin-1"), value.strip().encode("latin-1")) for key, value in headers]


async def _next_piece(receive: Receive, seconds: float) -> tuple[bytes, bool]:
    try:
        async with asyncio.timeout(max(seconds, 0)):
            message = await receive()
    except TimeoutError:
        raise TooSlow from None
    if message["type"] == "http.disconnect":
        raise Gone("The client left before its request was whole.")
    return message.get("body", b""), message.get("more_body", False)


async def _close_after(receive: Receive, outbox: Outbox) -> None:
    """Once the request was read, all that can still be received is that the client left."""
    await receive()
    outbox.close()


async def _send_all(outbox: Outbox, send: Send) -> None:
    pace, sent = Pace(), 0
    async for piece in outbox.pieces():
        if not sent:
            await send(outbox.start)
            pace = Pace()
        try:
            async with asyncio.timeout(max(pace.seconds_left(sent), 0)):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        except TimeoutError:
            raise Gone("The client reads too slowly.") from None
        sent += len(piece)
    if not sent:
        await send(outbox.start)
    await send({"type": "http.response.body", "body": b""})


async def _refuse(send: Send, status: int, words: bytes, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words})


async def _cut_off(scope: Scope) -> None:
    """An answer that broke off must not look whole, nor wait for a client that does not read."""
    scope[CUT_OFF]()
    # The server hears of it in the loop's next round, and then expects no answer any more.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
