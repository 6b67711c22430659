"""A project, and who may do what in it."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.core import signing
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.translation import gettext_lazy

INVITATION_SALT = "giza.invitation"
INVITATION_LIFETIME = timedelta(days=14)


class Role(models.TextChoices):
    OWNER = "owner", gettext_lazy("Owner")
    EDITOR = "editor", gettext_lazy("Editor")
    ANNOTATOR = "annotator", gettext_lazy("Annotator")
    VIEWER = "viewer", gettext_lazy("Viewer")

    @property
    def rank(self) -> int:
        """Higher may do everything that lower may."""
        return {"viewer": 0, "annotator": 1, "editor": 2, "owner": 3}[self.value]

    @property
    def with_article(self) -> str:
        return {
            "viewer": _("a viewer"),
            "annotator": _("an annotator"),
            "editor": _("an editor"),
            "owner": _("an owner"),
        }[self.value]

    @property
    def holders(self) -> str:
        """Who may do what needs this role at least."""
        return {
            "viewer": _("members"),
            "annotator": _("owners, editors and annotators"),
            "editor": _("owners and editors"),
            "owner": _("owners"),
        }[self.value]

    @property
    def explanation(self) -> str:
        return {
            "owner": _("Can do everything, including members, settings and deletion."),
            "editor": _(
                "Imports texts, plans, freezes units, drafts campaigns, creates gold "
                "versions and runs judges."
            ),
            "annotator": _("Writes and checks content units, and reads everything."),
            "viewer": _("Reads everything and changes nothing."),
        }[self.value]


class Project(models.Model):
    """One study. The four counts are kept by the services that add or remove rows."""

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True, max_length=2000)
    created_at = models.DateTimeField(default=clock.now)
    members: models.ManyToManyField[User, Membership] = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="corpora.Membership", related_name="projects"
    )
    example_count = models.PositiveIntegerField(default=0)
    reference_count = models.PositiveIntegerField(default=0)
    system_count = models.PositiveIntegerField(default=0)
    summary_count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class MembershipQuerySet(models.QuerySet["Membership"]):
    def owning(self) -> MembershipQuerySet:
        """Owners who were let in: owning a project gives a mere worker nothing."""
        let_in = Q(user__is_staff=True) | Q(user__can_create_projects=True)
        return self.filter(let_in, role=Role.OWNER)


class Membership(models.Model):
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role.choices)
    created_at = models.DateTimeField(default=clock.now)

    objects: ClassVar = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "user"], name="membership_once_per_project")
        ]

    def __str__(self) -> str:
        return _("{user} as {role} of {project}").format(
            user=self.user, role=self.role, project=self.project
        )


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> InvitationQuerySet:
        """Those that still let somebody in: an invitation ends with the role of who made it."""
        makers = Membership.objects.owning().filter(
            project=OuterRef("project"), user=OuterRef("created_by"), user__is_active=True
        )
        unused = self.filter(accepted_at=None, expires_at__gt=clock.now())
        return unused.filter(Exists(makers))


class Invitation(models.Model):
    """A link that makes its first bearer a member. It is the signed id: no secret is stored."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role.choices)
    note = models.CharField(max_length=120, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    accepted_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return _("invitation to {project} as {role}").format(project=self.project, role=self.role)

    @property
    def token(self) -> str:
        """Always the same for one invitation, so that a link can be copied again."""
        return signing.Signer(salt=INVITATION_SALT).sign(str(self.pk))

    @property
    def is_open(self) -> bool:
        return bool(Invitation.objects.open().filter(pk=self.pk).exists())
