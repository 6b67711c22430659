"""What commands share: options, refusals in a sentence, an outcome in words or as JSON.

- Whom a project belongs to that a command makes, and the tables it needs first of all.
- What a command was told to work on, and in whose name: a project, a member of it.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.accounts.service import change_rights
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.errors import DomainError
from annotation.translation import gettext_lazy

PROJECT = "slug"
SET = "NAME[@version]"
# Options that several commands have, in the words of each.
CHECK = gettext_lazy("report what would happen without changing anything")
BY = gettext_lazy("e-mail address of a member (default: the only owner)")


class GizaCommand(BaseCommand):
    """What a service refuses is the command's error, in its sentence."""

    def create_parser(self, *args: Any, **options: Any) -> CommandParser:
        self.help = str(self.help)  # the parser takes no lazy text
        return super().create_parser(*args, **options)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except DomainError as error:
            raise CommandError(f"{error.message} {error.hint}".strip()) from None


class ServiceCommand(GizaCommand):
    """A thin command: `run` calls a service and says what came of it, in words and in values."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_options(parser)
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    @abstractmethod
    def add_options(self, parser: ArgumentParser) -> None: ...

    @abstractmethod
    def run(self, options: dict[str, Any]) -> tuple[str, Any]: ...

    def handle(self, *args: Any, **options: Any) -> None:
        words, result = self.run(options)
        if options["json"]:
            words = json.dumps(result, cls=DjangoJSONEncoder, ensure_ascii=False)
        if words:
            self.stdout.write(words)


def find_file(path: Path) -> Path:
    if not path.exists():
        raise CommandError(_("{path}: no such file or folder.").format(path=path))
    return path.resolve()


def read_json(path: Path) -> Any:
    try:
        return json.loads(find_file(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise CommandError(f"{path}: {error}") from None


def write_lines(lines: Iterable[str], output: Path | None, out: OutputWrapper) -> None:
    """To a file, or to standard output."""
    if output is None:
        for line in lines:
            out.write(line, ending="")
        return
    with output.open("w", encoding="utf-8", newline="") as file:
        file.writelines(lines)


def run_here(job: Job | None, what: str) -> None:
    """Finish a job in this process; what it could not do is the command's error."""
    assert job is not None
    finish_job(job=job)
    if job.state != JobState.DONE:
        raise CommandError(f"{what}: {job.error or _('cancelled.')}")


def tell_problems(err: OutputWrapper, problems: Iterable[Mapping[str, Any]]) -> None:
    for problem in problems:
        line = _(", line {line}").format(line=problem["line"]) if problem["line"] else ""
        err.write(
            _("{file}{line}: {message} Expected {expected}").format(
                file=problem["file"],
                line=line,
                message=problem["message"],
                expected=problem["expected"],
            )
        )


def tell_checked(out: OutputWrapper, count: int, counted: str, *, as_json: bool) -> None:
    """Of files that were only checked, and are right."""
    words = _("No problems: {counted}. Nothing was written.").format(counted=counted)
    out.write(json.dumps({"checked": count}) if as_json else words)


def ensure_tables() -> None:
    """On the embedded default the first command of all may be the one that asks."""
    if connection.vendor == "sqlite" and not connection.introspection.table_names():
        call_command("migrate", verbosity=0)


def check_slug(slug: str) -> None:
    try:
        Project._meta.get_field("slug").clean(slug, None)
    except ValidationError as error:
        raise CommandError(
            _("--project: {messages}").format(messages=" ".join(error.messages))
        ) from None


def get_owner(email: str | None) -> User | None:
    if not email:
        return None
    user = User.objects.filter(email=User.objects.normalize_email(email)).first()
    if user is None:
        raise CommandError(
            _("--owner: no account has the e-mail address {email}.").format(email=email)
        )
    return user


def find_new_owner(owner: User | None) -> User | None:
    """Whose a new project is. Whoever runs commands on this machine lets that person in."""
    found = owner or only_account()
    if found is not None:
        change_rights(user=found, can_create_projects=True)
    return found


def only_account() -> User | None:
    """None while there is no account at all; the demo's takes such projects over."""
    users = list(User.objects.filter(is_active=True)[:2])
    if len(users) > 1:
        raise CommandError(_("Give the new project an owner: --owner E-MAIL."))
    return users[0] if users else None


def find_project(slug: str) -> Project:
    found = Project.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(_("There is no project '{slug}'.").format(slug=slug))
    return found


def find_member(project: Project, email: str, least: Role) -> User:
    """The member with this e-mail; without one, the project's only owner."""
    rows = Membership.objects.filter(project=project, user__is_active=True).select_related("user")
    if email:
        rows = rows.filter(user__email=User.objects.normalize_email(email))
    else:
        rows = rows.filter(role=Role.OWNER)
    members = [row.user for row in rows if Role(row.role).rank >= least.rank]
    if not members and email:
        raise CommandError(
            _("{email} needs the role {least} or above in {slug}.").format(
                email=email, least=least.label.lower(), slug=project.slug
            )
        )
    if len(members) != 1:
        raise CommandError(
            _("{slug} has {members} owners. Choose one by e-mail address.").format(
                slug=project.slug, members=len(members)
            )
        )
    return members[0]
