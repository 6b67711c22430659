"""A lab's server, started as compose.yaml starts it: PostgreSQL, Redis, two workers."""

from __future__ import annotations

import psycopg

from tests.servers import answers


def test_it_serves(lab):
    assert answers(lab.base_url)
    assert answers(lab.base_url, "/sign-in/")


def test_it_runs_on_postgresql_and_redis(lab):
    shown = lab.manage(
        "shell",
        "-c",
        "from django.db import connection; from django.core.cache import caches; "
        "from deploy.celery import app; caches['default'].set('k', 1); "
        "print(connection.vendor, type(caches['default']).__name__, app.conf.broker_url[:5])",
    )
    assert shown.split()[-3:] == ["postgresql", "RedisCache", "redis"]


def test_it_has_the_demo(lab):
    with psycopg.connect(lab.environment["DATABASE_URL"]) as database:
        (count,) = database.execute("SELECT count(*) FROM corpora_summary").fetchall()[0]
    assert count > 0
