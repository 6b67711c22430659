"""Clusters of systems and of metrics, from pairwise tests."""

from __future__ import annotations

import numpy as np

from scoring.metaeval.clusters import assign_clusters, cluster_rows, cluster_systems
from tests.scoring.metaeval.studies import HUMAN, make_study

NAN = np.nan


def test_clusters_by_hand():
    """1 beats 3 but not 2: 1 and 2 share a cluster, 3 begins one. 4 is beaten by 2 only, which is
    in an earlier cluster: what counts is whether a member of its own cluster beats it."""
    p = np.full((4, 4), NAN)
    p[0, 2], p[0, 1], p[1, 3], p[2, 3] = 0.01, 0.2, 0.01, 0.3
    assert assign_clusters(np.array([4.0, 3.0, 2.0, 1.0]), p) == [1, 1, 2, 2]


def test_order_of_the_rows_does_not_matter_and_a_row_without_score_has_no_cluster():
    p = np.full((3, 3), NAN)
    p[2, 0] = 0.05
    assert assign_clusters(np.array([1.0, NAN, 2.0]), p) == [2, 0, 1]


def test_equal_systems_share_a_cluster_and_far_ones_do_not():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=60)
    people = np.stack([noise, noise + 2 + rng.normal(size=60) / 10, noise])
    study = make_study({HUMAN: people, "m": people})
    found = cluster_systems(study)
    assert [(row.name, row.cluster, row.cluster_holm) for row in found] == [
        ("B", 1, 1),
        ("A", 2, 2),
        ("C", 2, 2),
    ]


def test_holm_finds_no_cluster_among_equals_more_often_than_it_says():
    """Twenty systems of noise, 100 times: a false boundary in about 5 % of them, far more without
    correction, as WMT's clusters go."""
    rng = np.random.default_rng(5)
    plain = strict = 0
    for seed in range(100):
        rows = cluster_rows(rng.normal(size=(8, 20)), seed=seed)
        plain += max(row.cluster for row in rows) > 1
        strict += max(row.cluster_holm for row in rows) > 1
    assert strict <= 10
    assert plain > 30
