"""Everything that changes rows. Pages, REST, commands and tasks are doors to these."""

from annotation.corpora.services.accounts import (
    WrongPassword,
    change_password,
    change_rights,
    confirm_password,
    create_token,
    revoke_all_keys,
    revoke_token,
    sign_up,
    update_account,
)
from annotation.corpora.services.activity import record_activity, record_export
from annotation.corpora.services.attempts import count_attempt, forgive_attempts
from annotation.corpora.services.imports import (
    can_undo,
    create_import,
    drop_import,
    has_news,
    undo_import,
    write_import,
)
from annotation.corpora.services.jobs import (
    DELIVERIES,
    SWEEPS,
    can_cancel,
    cancel_job,
    create_job,
    finish_job,
    least_role,
    least_scope,
    recover_jobs,
    retry_job,
    run_job,
)
from annotation.corpora.services.mail import deliver_mail, send_mail
from annotation.corpora.services.members import (
    accept_invitation,
    change_role,
    create_invitation,
    remove_member,
    revoke_invitation,
)
from annotation.corpora.services.notifications import (
    choose_mail,
    mark_all_read,
    mark_done_read,
    mark_read,
    notify,
)
from annotation.corpora.services.pausing import pause_job, resume_job
from annotation.corpora.services.projects import (
    create_project,
    delete_project,
    update_project,
    update_system,
)

__all__ = [
    "DELIVERIES",
    "SWEEPS",
    "WrongPassword",
    "accept_invitation",
    "can_cancel",
    "can_undo",
    "cancel_job",
    "change_password",
    "change_rights",
    "change_role",
    "choose_mail",
    "confirm_password",
    "count_attempt",
    "create_import",
    "create_invitation",
    "create_job",
    "create_project",
    "create_token",
    "delete_project",
    "deliver_mail",
    "drop_import",
    "finish_job",
    "forgive_attempts",
    "has_news",
    "least_role",
    "least_scope",
    "mark_all_read",
    "mark_done_read",
    "mark_read",
    "notify",
    "pause_job",
    "record_activity",
    "record_export",
    "recover_jobs",
    "remove_member",
    "resume_job",
    "retry_job",
    "revoke_all_keys",
    "revoke_invitation",
    "revoke_token",
    "run_job",
    "send_mail",
    "sign_up",
    "undo_import",
    "update_account",
    "update_project",
    "update_system",
    "write_import",
]
