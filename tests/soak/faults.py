"""Each fault by its name, and what does it."""

from __future__ import annotations

from collections.abc import Callable

from tests.servers import Lab
from tests.soak import client_faults, load, server_faults
from tests.soak.people import Place
from tests.soak.stage import Fault, Stage, strike

ACTS: dict[str, Callable[[Stage], None]] = {
    load.SLOW_CLIENTS: client_faults.trickle,
    load.DRIP_WEBHOOK: client_faults.drip,
    load.REDIS_AWAY: server_faults.lose_redis,
    load.LOCK: server_faults.hold_lock,
    load.FULL_DISK: server_faults.fill_disk,
    load.CLOCK_AHEAD: server_faults.run_ahead,
    load.PUBLISHES: client_faults.publish_at_once,
    load.DOUBLE_SUBMITS: client_faults.submit_twice,
}


def cause(lab: Lab, place: Place, name: str, longest: float) -> Fault:
    """Let a fault happen once; a short soak has shorter ones."""
    length = min(load.FAULTS[name], longest)
    return strike(Stage(lab, place, length), name, ACTS[name])
