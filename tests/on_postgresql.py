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
# By module of the product, the files with tests that reach those words.
FILES: dict[str, list[str]] = {
    "append_only.py": ["test_append_only.py"],
    "change_marks.py": ["test_change_marks.py"],
    "triggers.py": ["test_append_only.py", "test_change_marks.py"],
    "clock.py": ["test_clock.py"],
    "corpora/management/base.py": ["corpora/test_commands.py"],
    "corpora/activity/queries.py": ["corpora/test_activity.py"],
    "corpora/corpus/queries.py": ["corpora/test_api_corpus.py"],
    "corpora/corpus/exports.py": ["corpora/test_exports.py", "corpora/test_exports.py"],
    "corpora/search/queries.py": [
        "corpora/test_search.py",
        "evaluation/test_search.py",
        "corpora/test_search.py",
    ],
    "corpora/accounts/service.py": [
        "corpora/test_services_accounts.py",
        "crowd/work/test_deactivated.py",
        "corpora/views/test_passwords.py",
    ],
    "corpora/bulk.py": ["corpora/test_bulk.py"],
    "corpora/imports/cleaning.py": ["corpora/test_cleaning.py"],
    "corpora/imports/uploads.py": ["corpora/test_quotas.py"],
    "corpora/imports/service.py": ["corpora/test_imports.py", "corpora/test_imports_undone.py"],
    "corpora/jobs/service.py": [
        "corpora/test_jobs.py",
        "corpora/test_jobs_cancelled.py",
        "corpora/test_jobs_paused.py",
        "corpora/test_jobs_told.py",
    ],
    "corpora/projects/service.py": [
        "corpora/test_services_members.py",
        "corpora/test_services_projects.py",
    ],
    "corpora/notifications/service.py": ["corpora/test_notifications.py"],
    "corpora/accounts/sign_in.py": ["corpora/views/test_second_factor.py"],
    "statements.py": ["crowd/work/test_rows.py", "crowd/work/test_payments.py"],
    "units/files/queries.py": ["units/test_files.py", "units/test_peers.py", "units/test_files.py"],
    "units/overview.py": ["units/views/test_example_part.py"],
    "units/sets/table.py": ["units/views/test_all_units.py"],
    "units/sets/service.py": ["units/test_archive.py", "units/test_sets.py", "test_removal.py"],
    "units/double/service.py": ["units/test_double.py"],
    "units/stus/easiness.py": ["units/test_ranking.py"],
    "units/stus/extraction.py": ["units/test_extraction.py"],
    "units/sets/locks.py": ["units/test_ops.py", "units/test_ops_at_once.py"],
    "units/studio/comments.py": ["units/test_presence.py"],
    "units/studio/progress.py": ["units/test_review.py"],
    "units/stus/ranking.py": ["units/test_ranking.py", "units/test_plans.py"],
    "units/sets/versions.py": ["units/test_versions.py"],
    "crowd/management/commands/create_requester.py": ["crowd/market/test_requesters.py"],
    "crowd/market/batches.py": ["crowd/market/test_batches.py"],
    "crowd/market/money.py": ["crowd/market/test_money.py"],
    "crowd/market/requesters.py": [
        "crowd/market/test_keys.py",
        "crowd/market/test_requesters.py",
        "crowd/market/test_nobody_pays_themselves.py",
    ],
    "crowd/market/layouts.py": ["crowd/market/test_layouts.py"],
    "crowd/market/operations/qualifications.py": ["crowd/market/test_qualifications.py"],
    "crowd/market/operations/account.py": ["crowd/market/test_life_cycle.py"],
    "crowd/market/rows.py": [
        "crowd/market/test_at_once.py",
        "crowd/work/test_accepting.py",
        "crowd/work/test_own_work.py",
    ],
    "crowd/market/workers.py": ["crowd/work/test_payments.py", "crowd/work/test_joining.py"],
    "crowd/market/qualifying.py": ["crowd/market/test_at_once.py"],
    "crowd/market/work.py": ["crowd/work/test_submitting.py"],
    "crowd/providers/requester_api.py": ["crowd/campaigns/test_publishing.py"],
    "crowd/providers/prolific.py": ["crowd/prolific/test_campaign.py"],
    "crowd/requesters/queries.py": ["crowd/market/test_who_spends.py"],
    "crowd/campaigns/queries.py": ["crowd/campaigns/test_review.py"],
    "crowd/offline/service.py": ["crowd/offline/test_import.py"],
    "crowd/campaigns/service.py": [
        "crowd/campaigns/test_publishing.py",
        "crowd/campaigns/views/test_life.py",
    ],
    "crowd/campaigns/collecting.py": ["crowd/campaigns/test_review.py"],
    "crowd/campaigns/ledger.py": [
        "crowd/campaigns/test_publishing.py",
        "crowd/campaigns/test_top_up_at_once.py",
    ],
    "crowd/offline/writing.py": ["crowd/offline/test_import.py"],
    "crowd/prolific/service.py": ["crowd/prolific/test_participants.py"],
    "crowd/campaigns/publishing.py": ["crowd/campaigns/test_publishing.py"],
    "crowd/campaigns/steps.py": ["crowd/campaigns/test_publishing.py"],
    "evaluation/labels/answers.py": ["evaluation/test_labels.py"],
    "evaluation/gold/records.py": ["evaluation/test_restored_figures.py"],
    "evaluation/overview/stages.py": ["evaluation/test_overview.py"],
    "evaluation/planning/queries.py": ["evaluation/views/test_plans.py"],
    "evaluation/runs/queries.py": ["evaluation/test_run_pages.py"],
    "evaluation/runs/texts.py": ["evaluation/test_judging.py"],
    "evaluation/samples/queries.py": ["evaluation/test_samples.py"],
    "evaluation/labels/settling.py": ["evaluation/test_decisions.py"],
    "evaluation/metrics/names.py": ["evaluation/test_names.py"],
    "evaluation/overview/demo.py": ["evaluation/test_demo.py"],
    "evaluation/gold/service.py": ["evaluation/test_restoring.py"],
    "evaluation/labels/queries.py": [
        "evaluation/test_label_files.py",
        "evaluation/test_published.py",
    ],
    "evaluation/labels/service.py": ["evaluation/test_labels.py"],
    "evaluation/planning/taken.py": ["evaluation/test_plan_work.py"],
    "evaluation/gold/restoring_rows.py": [
        "evaluation/test_restoring.py",
        "evaluation/test_restored_figures.py",
    ],
    "evaluation/robustness/service.py": ["evaluation/test_robustness.py"],
    "evaluation/metrics/service.py": ["evaluation/test_score_sets.py"],
    "evaluation/runs/text_scores.py": ["evaluation/test_text_scores.py"],
    "evaluation/judges/service.py": ["evaluation/test_training.py"],
    "evaluation/runs/work.py": ["evaluation/test_judging.py"],
}
# Of each file, the tests, without the word that all names begin with. They were chosen by what they
# send: of those that wait, group, look into JSON or the like, no statement was another test's only.
# Some are here for what no word in a module gives away: PostgreSQL takes neither NUL in a text nor
# NaN in JSON, tells texts apart by their bytes, and lets nothing be longer than its column.
ALL = "all"
TESTS: dict[str, str] = {
    "test_append_only.py": ALL,
    "test_change_marks.py": ALL,
    "test_clock.py": ALL,
    "test_removal.py": ALL,
    "corpora/test_cleaning.py": ALL,
    "corpora/test_quotas.py": ALL,
    "corpora/views/test_passwords.py": ALL,
    "corpora/views/test_second_factor.py": ALL,
    "crowd/market/test_keys.py": ALL,
    "crowd/work/test_deactivated.py": ALL,
    "evaluation/test_text_scores.py": ALL,
    "corpora/test_activity.py": """
        it_filters it_pages_by_the_last_row_seen it_is_a_page_that_can_be_shared
    """,
    "corpora/test_api_corpus.py": "it_searches",
    "corpora/test_bulk.py": """
        it_gives_every_text_back_as_it_was it_reserves_keys_that_nobody_else_gets
        it_reserves_no_key_twice_after_rows_were_deleted
        it_tells_of_a_row_that_the_database_refuses
    """,
    "corpora/test_commands.py": "it_imports_once",
    "corpora/test_exports.py": """
        it_is_streamed_and_takes_little_memory it_notices_gaps_and_systems_without_summaries
        it_leaves_out_what_comes_while_it_is_sent
        it_sends_units_along_only_where_they_fit_the_lines
    """,
    "corpora/test_imports.py": """
        it_hides_rows_until_all_are_written
        it_writes_nothing_for_a_twin_that_was_checked_at_the_same_time
        it_hides_summaries_that_an_unfinished_import_adds it_changes_nothing_the_second_time
    """,
    "corpora/test_imports_files.py": """
        it_keeps_odd_texts_as_they_are it_keeps_ids_apart_that_differ_only_in_case
    """,
    "corpora/test_imports_undone.py": """
        it_goes_on_from_the_last_step_after_a_failure it_lets_only_one_of_retry_and_undo_win
        it_makes_the_second_of_two_imports_wait
        it_is_written_once_however_often_it_is_asked_for
        it_makes_an_undo_wait_for_a_running_import
        it_removes_nothing_but_itself_when_it_is_cancelled_before_it_began
    """,
    "corpora/test_jobs.py": """
        it_is_claimed_by_one it_commits_rows_and_cursor_together
        it_goes_on_at_the_cursor_when_it_is_tried_again
        it_commits_nothing_once_another_worker_has_it
        it_is_taken_over_where_the_dead_worker_left_it it_fails_when_no_such_work_is_known
        it_is_given_up_after_twenty_attempts it_is_claimed_by_one_of_many_at_once
        it_renews_the_lease_while_a_step_takes_long
    """,
    "corpora/test_jobs_cancelled.py": """
        it_ends_a_queued_job_at_once it_does_not_undo_what_another_worker_runs
    """,
    "corpora/test_jobs_paused.py": """
        it_rests_at_once_while_it_waits it_just_goes_on_if_it_is_resumed_before_it_rests
        it_is_queued_anew_if_it_makes_room it_rests_though_its_worker_died_before
        it_can_be_cancelled_while_it_rests
    """,
    "corpora/test_jobs_told.py": """
        it_tells_once_of_a_job_that_nobody_was_told_of
        it_tells_again_when_the_message_was_lost it_tells_once_of_a_job_whose_worker_died
    """,
    "corpora/test_mail.py": """
        a_worker_sends_what_is_due it_is_sent_later_if_no_server_answers
        it_is_not_sent_again_if_the_line_went_dead
        it_is_not_sent_again_by_who_finds_a_dead_senders_row it_is_sent_only_to_who_wants_it
        it_puts_no_line_break_into_a_header it_is_sent_once_however_many_workers_try
    """,
    "corpora/test_notifications.py": "it_is_news_again_if_it_is_renewed",
    "corpora/test_search.py": """
        it_finds_units_and_comments_but_not_deleted_ones it_stops_counting
        it_finds_documents_unless_they_are_many it_finds_systems_and_members
    """,
    "corpora/test_services_accounts.py": """
        it_has_one_account_an_address it_changes_a_password it_changes_name_and_address
        it_stores_a_key_only_as_its_digest
    """,
    "corpora/test_services_members.py": """
        it_makes_nobody_a_member_once_it_is_closed it_stays_open_when_a_member_follows_it
        it_keeps_the_last_owner_in_the_project
    """,
    "corpora/test_services_projects.py": """
        it_refuses_an_address_that_is_taken it_is_renamed
        it_deletes_every_row_of_its_own_and_no_other it_corrects_what_is_said_of_a_system
        it_keeps_the_names_of_systems_apart
    """,
    "units/test_extraction.py": """
        it_gives_a_name_that_was_used_its_next_version
        it_cuts_units_that_the_tables_can_not_hold
    """,
    "units/test_files.py": """
        it_says_what_does_not_fit it_makes_sets_of_files_that_came_along
        it_keeps_everything_in_full_formats
    """,
    "units/test_ops.py": """
        it_knows_what_it_made_by_name it_is_made_once_however_often_it_comes
        it_must_be_looked_at_again_once_changed it_promotes_nothing_of_other_projects
        it_is_refused_while_the_set_is_being_filled
    """,
    "units/test_ops_at_once.py": ALL,
    "units/test_peers.py": """
        it_refuses_references_that_read_like_headers it_is_the_same_set_on_another_server
    """,
    "units/test_plans.py": "it_plans_again_without_doubling_anything",
    "units/test_presence.py": "it_comes_with_the_changes",
    "units/test_ranking.py": """
        it_trains_the_same_again_as_the_next_version
        it_keeps_who_writes_what_when_it_ranks_a_plan_anew
        it_ranks_by_a_job_that_goes_on_after_a_kill
        it_trains_a_regressor_with_figures_from_examples_it_never_saw
    """,
    "units/test_review.py": """
        it_queues_mine_then_what_i_check_then_what_is_free
        it_is_said_once_however_often_it_comes
        it_is_not_signed_off_by_anybody_who_wrote_in_it
        it_queues_what_i_check_first_in_review it_counts_how_far_it_is
        it_tells_how_long_a_unit_takes it_gives_examples_out_by_number
        it_gives_out_to_those_who_may_write
    """,
    "units/test_sets.py": """
        it_has_the_same_hash_on_every_server it_is_deleted_with_all_that_hangs_on_it
    """,
    "units/test_archive.py": "a_name_that_is_taken_or_empty_is_refused",
    "units/test_double.py": """
        the_second_word_freezes_both_and_measures_agreement
        a_third_member_merges_and_units_stand_on_all_words
        it_is_not_started_with_what_makes_no_sense
    """,
    "units/views/test_all_units.py": "it_is_filtered a_check_lets_it_be_filtered_by_rule",
    "units/views/test_example_part.py": "a_set_with_units_of_the_example_comes_first",
    "units/test_versions.py": """
        it_carries_people_into_rows_that_are_there it_goes_on_where_a_killed_worker_stopped
    """,
    "crowd/campaigns/test_cleaning.py": "it_keeps_what_was_shown_with_the_hit",
    "crowd/campaigns/test_publishing.py": """
        it_puts_every_hit_out it_is_published_once_however_often_it_is_asked_for
        it_is_fetched_by_one_at_a_time it_never_passes_the_cap
        it_gives_back_what_nobody_can_earn_any_more it_adds_up_what_is_meant_under_one_lock
        it_judges_a_system_that_came_later_when_somebody_says_so it_takes_one_step_at_a_time
    """,
    "crowd/campaigns/test_review.py": """
        it_notes_what_could_not_be_read it_tells_agreement_wage_and_spend
        it_pays_every_assignment_once it_takes_over_what_the_provider_decided_itself
        it_rejects_with_a_reason_and_turns_it_around it_pays_a_bonus_once
        it_finishes_what_a_dead_process_had_begun
        it_looks_before_it_pays_what_was_meant_long_ago
        it_approves_by_rule_past_one_that_is_refused it_adds_up_what_each_worker_did
    """,
    "crowd/campaigns/test_top_up_at_once.py": ALL,
    "crowd/campaigns/views/test_life.py": "it_drafts_with_one_click",
    "crowd/market/test_at_once.py": ALL,
    "crowd/market/test_deliveries.py": """
        two_workers_never_send_to_one_address_at_a_time four_workers_deliver_each_event_once
        it_gives_up_after_three_days_and_keeps_no_more_events
    """,
    "crowd/market/test_life_cycle.py": """
        it_runs_a_whole_life_cycle it_answers_every_operation_of_the_model
    """,
    "crowd/market/test_money.py": """
        it_holds_pays_and_gives_back it_takes_a_fee_on_top
        it_follows_a_change_of_the_hit_type it_approves_by_the_clock_whoever_looks_first
        it_does_not_turn_an_old_rejection_around it_puts_old_hits_away
        it_forgets_a_token_after_a_day
    """,
    "crowd/market/test_nobody_pays_themselves.py": ALL,
    "crowd/market/test_notifications.py": "it_tries_again_later_and_follows_no_redirect",
    "crowd/market/test_qualifications.py": """
        it_refuses_a_type it_grants_at_once_or_by_score_or_by_hand
        it_lets_workers_try_again_only_after_a_while
        it_takes_no_answers_after_the_time_of_a_test it_gives_takes_and_gives_again
        it_pages_through_the_markets_types_and_then_the_requesters
        it_deletes_a_type_but_not_what_is_held
    """,
    "crowd/market/test_batches.py": """
        hits_are_priced_and_then_published_once what_is_not_covered_is_published_not_at_all
    """,
    "crowd/market/test_layouts.py": """
        a_layout_is_made_listed_previewed_filled_edited_and_deleted_on_pages
    """,
    "crowd/market/test_requesters.py": "it_gives_another_key_to_a_name_that_is_there",
    "crowd/market/test_review.py": "it_decides_by_score_once",
    "crowd/market/test_who_spends.py": """
        a_worker_reaches_no_budget staff_add_money_once_and_say_where_from
        an_owner_creates_one_for_their_project_only a_statement_names_who_added_what
        an_owner_lets_workers_in
    """,
    "crowd/offline/test_doors.py": """
        it_asks_nobody_to_pay_for_what_came_in_files
        it_names_what_can_not_be_done_in_the_form it_takes_no_more_than_an_upload_may_have
    """,
    "crowd/offline/test_import.py": """
        it_splits_long_lists_into_parts it_writes_nothing_if_the_corpus_has_changed_since
        it_refuses_what_a_file_can_not_do
        it_counts_answers_once_whatever_campaign_they_came_by
        what_was_imported_twice_before_counts_once a_campaign_made_of_files_can_be_deleted
        a_second_import_at_once_leaves_no_empty_campaign
    """,
    "crowd/prolific/test_campaign.py": """
        it_goes_from_publishing_to_the_end it_waits_for_a_person_where_nothing_tells
    """,
    "crowd/prolific/test_decisions.py": "it_pays_a_bonus_once_per_token",
    "crowd/prolific/test_participants.py": "it_gives_out_no_place_twice_at_once",
    "crowd/work/test_accepting.py": """
        it_takes_one_place_until_the_deadline it_refuses_a_hit_that_is_over
        it_refuses_suspended_and_blocked_workers
        it_goes_on_to_hits_that_the_worker_never_had
    """,
    "crowd/work/test_joining.py": """
        it_needs_an_invitation_unless_the_setting_says_open
        it_refuses_an_invitation_that_is_closed
    """,
    "crowd/work/test_own_work.py": ALL,
    "crowd/work/test_payments.py": """
        it_pays_once_for_a_key it_makes_links_for_workers
        it_names_requester_project_and_campaign
    """,
    "crowd/work/test_rows.py": """
        it_reads_a_worker_and_their_account it_knows_who_is_blocked
        it_lets_in_nobody_whose_session_is_in_doubt
    """,
    "crowd/work/test_submitting.py": """
        it_keeps_what_comes_after_the_deadline it_takes_a_free_place_again
        it_does_not_give_one_worker_two_places
    """,
    "evaluation/test_curves.py": "it_draws_every_order",
    "evaluation/test_decisions.py": """
        it_leaves_rejected_work_out it_decides_once_about_a_worker
        it_takes_a_decision_back_once it_takes_an_experts_word_back
        it_lets_one_of_two_experts_speak_at_the_same_moment
    """,
    "evaluation/test_demo.py": "it_judges_a_frozen_copy_and_leaves_the_draft_open",
    "evaluation/test_estimates.py": "it_estimates_every_system",
    "evaluation/test_judging.py": """
        it_weighs_units it_asks_once_of_a_unit_that_is_written_twice
        it_seeks_sentences_that_are_not_stored
        it_counts_an_empty_summary_as_carrying_nothing it_does_not_help_with_another_judge
        it_gives_a_chunk_to_one it_writes_nothing_of_a_chunk_that_was_lost
        it_leaves_a_chunk_that_it_could_not_judge
        it_keeps_what_was_judged_before_it_was_cancelled
        it_is_taken_over_where_the_dead_left_it it_calls_again_for_chunks_that_nobody_holds
        it_gives_each_chunk_to_one_of_many_at_once
    """,
    "evaluation/test_label_files.py": """
        it_makes_nothing_anew_where_labels_say_all
        it_goes_on_with_the_words_of_experts_after_a_kill
    """,
    "evaluation/test_labels.py": """
        it_gives_the_same_hash_for_the_same_labels it_goes_on_where_a_killed_worker_stopped
        it_starts_anew_when_answers_came_in_meanwhile
        it_leaves_nothing_behind_when_cancelled it_joins_campaigns_about_the_same_units
        it_deletes_labels_that_nothing_refers_to it_keeps_labels_of_a_gold_version
    """,
    "evaluation/test_overview.py": "it_leads_from_newer_labels_to_gold",
    "evaluation/test_plan_work.py": """
        it_assigns_the_hardest_sentences it_is_not_published_before_the_set_is_frozen
        it_asks_nobody_where_the_judge_alone_scores it_makes_all_or_nothing
        it_stays_once_it_is_published it_keeps_a_set_that_a_draft_is_about
    """,
    "evaluation/test_published.py": "it_takes_the_labels_that_came_with_pyrxsum",
    "evaluation/test_names.py": "a_metric_gets_a_name_and_loses_it",
    "evaluation/test_reports.py": "it_holds_metrics_against_people",
    "evaluation/test_restored_figures.py": "every_figure_of_a_restored_study_is_the_studys",
    "evaluation/test_restoring.py": """
        it_gives_the_next_version_of_a_name_its_number
        it_restores_a_study_with_the_same_hash it_goes_on_where_a_killed_worker_stopped
    """,
    "evaluation/test_robustness.py": "it_goes_on_after_its_worker_died",
    "evaluation/test_run_pages.py": "it_estimates_from_the_last_pace it_shows_units_by_systems",
    "evaluation/test_samples.py": "it_drafts_a_campaign_about_the_sample_alone",
    "evaluation/test_score_sets.py": """
        it_goes_on_after_its_worker_died a_project_takes_its_scores_along
    """,
    "evaluation/test_search.py": "it_finds_what_was_computed",
    "evaluation/test_training.py": "it_counts_versions_by_name",
    "evaluation/views/test_labels.py": "it_shows_units_by_systems_of_one_example",
    "evaluation/views/test_plans.py": "it_counts_what_really_happened",
}

HERE = Path(__file__).resolve().parent / "annotation"


def is_chosen(path: Path, name: str = "") -> bool:
    """Whether a test runs there; without a name, whether anything of its file does."""
    file = path.relative_to(HERE).as_posix() if path.is_relative_to(HERE) else ""
    chosen = TESTS.get(file, "")
    if not name or chosen == ALL:
        return bool(chosen)
    return name.removeprefix("test_") in chosen.split()
