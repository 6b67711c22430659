"""Which tests of the product run a second time, on PostgreSQL: those that a database can change.

Every test runs on SQLite. Most ask the database only for what Django asks any database for; what
that comes to was seen there, and the lab's server, the faults of the crowd, the backup and the
story in the browser run the whole product on PostgreSQL besides. Again there runs what a database
does in its own way: locks, constraints that are met, rows that may be there already, rows by the
thousand, statements written by hand, patterns and letters' case, looks into JSON, orders and
cursors, and work that is committed in steps. tests/test_on_postgresql.py looks for such words in
the modules of the product, and fails on one that no row below speaks for.

`pytest --database=postgresql` with the name of a file runs all of it.
"""

from __future__ import annotations

import re
from pathlib import Path

# What gives away a module that depends on its database.
WORDS = re.compile(
    r"connection\.(vendor|cursor|features)|select_for_update|(ignore|update)_conflicts"
    r"|except \(?(IntegrityError|OperationalError|DataError|DatabaseError)|__has_key|regex="
    r"|icontains|iexact|__contains=|__endswith=|nulls_(first|last)|\.distinct\(|Subquery\("
)
PUBLISHING = "crowd/campaigns/test_publishing.py"
# By module of the product, the tests, or files of tests, that reach those words.
TESTS: dict[str, list[str]] = {
    "sessions.py": ["crowd/work/test_rows.py"],
    "corpora/management/accounts.py": ["corpora/test_commands.py::test_it_imports_once"],
    "corpora/selectors/activity.py": [
        "corpora/test_activity.py::test_it_filters",
        "corpora/test_activity.py::test_it_pages_by_the_last_row_seen",
        "corpora/test_activity.py::test_it_is_streamed_as_csv_and_jsonl",
        "corpora/test_activity.py::test_it_is_a_page_that_can_be_shared",
    ],
    "corpora/selectors/corpus.py": ["corpora/test_api_corpus.py::test_it_searches"],
    "corpora/selectors/exports.py": [
        "corpora/test_exports.py::test_it_is_streamed_and_takes_little_memory",
        "corpora/test_exports.py::test_it_says_exactly_why_a_format_cannot_hold_the_corpus",
        "corpora/test_exports.py::test_it_notices_gaps_and_systems_without_summaries",
        "corpora/test_exports.py::test_it_leaves_out_what_comes_while_it_is_sent",
    ],
    "corpora/selectors/folder_export.py": [
        "corpora/test_exports.py::test_it_sends_units_along_only_where_they_fit_the_lines",
    ],
    "corpora/selectors/search.py": [
        "corpora/test_search.py::test_it_finds_words_as_one_piece_and_signs_as_they_are",
        "corpora/test_search.py::test_it_finds_units_and_comments_but_not_deleted_ones",
        "corpora/test_search.py::test_it_stops_counting",
        "evaluation/test_search.py",
    ],
    "corpora/selectors/search_corpus.py": [
        "corpora/test_search.py::test_it_finds_examples_by_id_and_by_reference",
        "corpora/test_search.py::test_it_finds_documents_unless_they_are_many",
        "corpora/test_search.py::test_it_finds_systems_and_members",
    ],
    "corpora/services/accounts.py": ["corpora/test_services_accounts.py"],
    "corpora/services/bulk.py": [
        "corpora/test_bulk.py",
        "corpora/test_comparison.py",
    ],
    "corpora/services/imports.py": ["corpora/test_imports.py", "corpora/test_imports_undone.py"],
    "corpora/services/jobs.py": [
        "corpora/test_jobs.py",
        "corpora/test_jobs_cancelled.py",
        "corpora/test_jobs_paused.py",
        "corpora/test_jobs_told.py",
    ],
    "corpora/services/mail.py": ["corpora/test_mail.py"],
    "corpora/services/members.py": ["corpora/test_services_members.py"],
    "corpora/services/notifications.py": [
        "corpora/test_notifications.py::test_it_is_told_once_for_each_person_and_thing",
        "corpora/test_notifications.py::test_it_is_news_again_if_it_is_renewed",
        "corpora/test_notifications.py::test_it_tells_only_members_and_nobody_of_their_own_acts",
    ],
    "corpora/services/projects.py": ["corpora/test_services_projects.py"],
    "units/selectors/exports.py": [
        "units/test_files.py::test_it_says_what_does_not_fit",
        "units/test_peers.py::test_it_refuses_references_that_read_like_headers",
    ],
    "units/selectors/files.py": [
        "units/test_files.py::test_it_makes_sets_of_files_that_came_along"
    ],
    "units/services/easiness.py": [
        "units/test_ranking.py::test_it_trains_the_same_again_as_the_next_version"
    ],
    "units/services/extraction.py": [
        "units/test_extraction.py::test_it_gives_a_name_that_was_used_its_next_version",
    ],
    "units/services/locks.py": ["units/test_ops.py", "units/test_ops_at_once.py"],
    "units/services/presence.py": ["units/test_presence.py"],
    "units/services/progress.py": ["units/test_review.py"],
    "units/services/ranking.py": [
        "units/test_ranking.py::test_it_takes_over_what_was_foretold_with_the_stus",
        "units/test_ranking.py::test_it_keeps_who_writes_what_when_it_ranks_a_plan_anew",
        "units/test_ranking.py::test_it_ranks_by_a_job_that_goes_on_after_a_kill",
        "units/test_plans.py::test_it_plans_again_without_doubling_anything",
    ],
    "units/services/sets.py": [
        "units/test_sets.py::test_it_freezes_what_is_signed",
        "units/test_sets.py::test_it_takes_no_sign_off_of_who_was_made_the_author_later",
        "units/test_sets.py::test_it_has_the_same_hash_on_every_server",
        "units/test_sets.py::test_it_is_deleted_with_all_that_hangs_on_it",
        "units/test_sets.py::test_it_goes_with_its_project",
        "units/test_sets.py::test_it_keeps_the_import_that_it_stands_on",
    ],
    "units/services/versions.py": [
        "units/test_versions.py::test_it_copies_everything",
        "units/test_versions.py::test_it_carries_people_into_rows_that_are_there",
        "units/test_versions.py::test_it_counts_versions",
        "units/test_versions.py::test_it_goes_on_where_a_killed_worker_stopped",
    ],
    "crowd/management/commands/create_requester.py": [
        "crowd/market/test_requesters.py::test_it_gives_another_key_to_a_name_that_is_there"
    ],
    "crowd/market/holds.py": ["crowd/market/test_money.py"],
    "crowd/market/operations/qualification_types.py": ["crowd/market/test_qualifications.py"],
    "crowd/market/operations/workers.py": ["crowd/market/test_life_cycle.py"],
    "crowd/market/patience.py": ["crowd/market/test_at_once.py"],
    "crowd/market/payouts.py": ["crowd/work/test_payments.py"],
    "crowd/market/requesters.py": ["crowd/market/test_requesters.py::test_it_adds_a_deposit_once"],
    "crowd/market/rows.py": ["crowd/work/test_accepting.py"],
    "crowd/market/statements.py": ["crowd/work/test_rows.py"],
    "crowd/market/work.py": ["crowd/work/test_submitting.py"],
    "crowd/market/workers.py": ["crowd/work/test_joining.py"],
    "crowd/providers/mturk.py": [f"{PUBLISHING}::test_it_puts_every_hit_out"],
    "crowd/providers/prolific.py": ["crowd/prolific/test_campaign.py"],
    "crowd/selectors/offline.py": ["crowd/offline/test_doors.py"],
    "crowd/selectors/review.py": ["crowd/campaigns/test_review.py"],
    "crowd/services/campaigns.py": [
        f"{PUBLISHING}::test_it_is_published_once_however_often_it_is_asked_for",
        f"{PUBLISHING}::test_it_is_fetched_by_one_at_a_time",
        "crowd/campaigns/views/test_life.py::test_it_drafts_with_one_click",
    ],
    "crowd/services/collecting.py": ["crowd/campaigns/test_review.py"],
    "crowd/services/ledger.py": [
        f"{PUBLISHING}::test_it_prepays_and_commits_exactly_the_cost",
        f"{PUBLISHING}::test_it_never_passes_the_cap",
        f"{PUBLISHING}::test_it_extends_once_for_two_clicks",
        f"{PUBLISHING}::test_it_gives_back_what_nobody_can_earn_any_more",
        f"{PUBLISHING}::test_the_books_are_only_written_to",
        f"{PUBLISHING}::test_it_adds_up_what_is_meant_under_one_lock",
    ],
    "crowd/services/offline_writing.py": ["crowd/offline/test_import.py"],
    "crowd/services/prolific.py": [
        "crowd/prolific/test_participants.py::test_it_gives_out_no_place_twice_at_once"
    ],
    "crowd/services/publishing.py": [
        f"{PUBLISHING}::test_it_puts_every_hit_out",
        f"{PUBLISHING}::test_it_makes_no_second_hit_when_a_call_fails",
        f"{PUBLISHING}::test_it_goes_on_where_a_failed_job_stopped",
    ],
    "crowd/services/steps.py": [
        f"{PUBLISHING}::test_it_judges_a_system_that_came_later_when_somebody_says_so",
        f"{PUBLISHING}::test_it_takes_one_step_at_a_time",
    ],
    "evaluation/selectors/answers.py": ["evaluation/test_labels.py"],
    "evaluation/selectors/overview.py": [
        "evaluation/test_overview.py::test_it_leads_from_newer_labels_to_gold"
    ],
    "evaluation/selectors/pages_scores.py": [
        "evaluation/views/test_labels.py::test_it_shows_units_by_systems_of_one_example"
    ],
    "evaluation/selectors/plan_progress.py": [
        "evaluation/views/test_plans.py::test_it_counts_what_really_happened"
    ],
    "evaluation/selectors/run_plan.py": [
        "evaluation/test_run_pages.py::test_it_estimates_from_the_last_pace"
    ],
    "evaluation/selectors/run_presence.py": [
        "evaluation/test_run_pages.py::test_it_shows_units_by_systems"
    ],
    "evaluation/selectors/run_texts.py": ["evaluation/test_judging.py"],
    "evaluation/selectors/samples.py": [
        "evaluation/test_samples.py::test_it_draws_and_keeps_the_whole_population",
        "evaluation/test_samples.py::test_it_drafts_a_campaign_about_the_sample_alone",
        "evaluation/test_samples.py::test_it_goes_with_its_project",
    ],
    "evaluation/services/decisions.py": ["evaluation/test_decisions.py"],
    "evaluation/services/demo.py": [
        "evaluation/test_demo.py::test_it_judges_a_frozen_copy_and_leaves_the_draft_open"
    ],
    "evaluation/services/gold.py": [
        "evaluation/test_restoring.py::test_it_gives_the_next_version_of_a_name_its_number"
    ],
    "evaluation/services/judging.py": ["evaluation/test_judging.py"],
    "evaluation/services/label_files.py": [
        "evaluation/test_label_files.py",
        "evaluation/test_published.py::test_it_takes_the_labels_that_came_with_pyrxsum",
    ],
    "evaluation/services/labels.py": ["evaluation/test_labels.py"],
    "evaluation/services/plan_work.py": ["evaluation/test_plan_work.py"],
    "evaluation/services/restoring_rows.py": [
        "evaluation/test_restoring.py::test_it_restores_a_study_with_the_same_hash",
        "evaluation/test_restoring.py::test_it_brings_drops_and_experts_words_along",
        "evaluation/test_restoring.py::test_it_goes_on_where_a_killed_worker_stopped",
        "evaluation/test_restoring.py::test_it_leaves_nothing_behind_when_given_up",
    ],
    "evaluation/services/robustness.py": [
        "evaluation/test_robustness.py::test_it_computes_nothing_twice",
        "evaluation/test_robustness.py::test_it_goes_on_after_its_worker_died",
        "evaluation/test_robustness.py::test_it_keeps_the_import_and_goes_with_the_project",
    ],
    "evaluation/services/score_sets.py": [
        "evaluation/test_score_sets.py::test_it_computes_nothing_twice",
        "evaluation/test_score_sets.py::test_it_goes_on_after_its_worker_died",
        "evaluation/test_score_sets.py::test_a_project_takes_its_scores_along",
    ],
    "evaluation/services/training.py": [
        "evaluation/test_training.py::test_it_counts_versions_by_name"
    ],
    "evaluation/services/verdicts.py": ["evaluation/test_judging.py"],
}
# What no word in a module gives away: PostgreSQL takes neither NUL in a text nor NaN in JSON, tells
# texts apart by their bytes, and lets nothing be longer than its column. Whatever is worked out is
# kept there once.
BESIDES = [
    "corpora/test_imports_files.py::test_it_keeps_odd_texts_as_they_are",
    "corpora/test_imports_files.py::test_it_keeps_ids_apart_that_differ_only_in_case",
    "units/test_extraction.py::test_it_cuts_units_that_the_tables_can_not_hold",
    "units/test_files.py::test_it_keeps_everything_in_full_formats",
    "units/test_peers.py::test_it_is_the_same_set_on_another_server",
    "units/test_ranking.py::test_it_trains_a_regressor_with_figures_from_examples_it_never_saw",
    "crowd/campaigns/test_cleaning.py::test_it_keeps_what_was_shown_with_the_hit",
    "crowd/market/test_review.py::test_it_decides_by_score_once",
    "crowd/market/test_notifications.py::test_it_tries_again_later_and_follows_no_redirect",
    "crowd/prolific/test_decisions.py::test_it_pays_a_bonus_once_per_token",
    "evaluation/test_budgets.py::test_it_finds_plans_within_the_budget",
    "evaluation/test_curves.py::test_it_draws_every_order",
    "evaluation/test_estimates.py::test_it_estimates_every_system",
    "evaluation/test_reports.py::test_it_holds_metrics_against_people",
    "evaluation/test_run_pages.py::test_it_stands_beside_people",
    "evaluation/test_score_files.py::test_it_takes_a_csv",
    "evaluation/test_score_sources.py::test_it_reads_each_as_systems_and_examples",
    "evaluation/test_studies.py::test_it_takes_gold_from_labels",
]

HERE = Path(__file__).resolve().parent / "annotation"
CHOSEN = {name for names in TESTS.values() for name in names} | set(BESIDES)
FILES = {name.partition("::")[0] for name in CHOSEN}


def is_chosen(path: Path, name: str = "") -> bool:
    """Whether a test runs there; without a name, whether anything of its file does."""
    if not path.is_relative_to(HERE):
        return False
    file = path.relative_to(HERE).as_posix()
    return file in CHOSEN or (f"{file}::{name}" in CHOSEN if name else file in FILES)
