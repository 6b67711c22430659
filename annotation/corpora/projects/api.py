"""REST: the account, its keys, projects, members, invitations."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import ApiToken, KeyScope
from annotation.corpora.projects import queries, service
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.rest import PAGED, GizaView, ProjectView, page_of
from annotation.corpora.serializers import (
    InvitationSerializer,
    MembershipSerializer,
    NewTokenSerializer,
    ProjectChangeSerializer,
    ProjectSerializer,
    TokenSerializer,
    UserSerializer,
)
from annotation.errors import NotFound


class Me(GizaView):
    @extend_schema(operation_id="get_me", responses={200: UserSerializer})
    def get(self, request: Request) -> Response:
        """The account that the key belongs to."""
        return Response(UserSerializer(self.user).data)


class Tokens(GizaView):
    scopes = {"POST": KeyScope.PAY}

    @extend_schema(
        operation_id="list_tokens", parameters=PAGED, responses={200: page_of(TokenSerializer)}
    )
    def get(self, request: Request) -> Response:
        """Your keys, without their secrets."""
        return self.paged(self.user.tokens.all(), TokenSerializer)

    @extend_schema(
        operation_id="create_token", request=TokenSerializer, responses={201: NewTokenSerializer}
    )
    def post(self, request: Request) -> Response:
        """Create a key. This answer contains it; it is never shown again."""
        form = TokenSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        maker = request.auth if isinstance(request.auth, ApiToken) else None
        token, key = accounts_service.create_token(
            user=self.user, maker=maker, **form.validated_data
        )
        return Response({**TokenSerializer(token).data, "key": key}, status=201)


class TokenDetail(GizaView):
    scopes = {"DELETE": KeyScope.PAY}

    @extend_schema(operation_id="revoke_token", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Revoke a key."""
        accounts_service.revoke_token(token=get_object_or_404(ApiToken, pk=pk, user=self.user))
        return Response(status=204)


class Projects(GizaView):
    @extend_schema(
        operation_id="list_projects", parameters=PAGED, responses={200: page_of(ProjectSerializer)}
    )
    def get(self, request: Request) -> Response:
        """Every project that you are a member of."""
        return self.paged(queries.list_projects(self.user), ProjectSerializer)

    @extend_schema(
        operation_id="create_project", request=ProjectSerializer, responses={201: ProjectSerializer}
    )
    def post(self, request: Request) -> Response:
        """Create a project; you become its owner."""
        form = ProjectSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        project = service.create_project(user=self.user, **form.validated_data)
        return Response(_as_seen(self, project), status=201)


def _as_seen(view: GizaView, project: Project) -> Any:
    return ProjectSerializer(queries.list_projects(view.user).get(pk=project.pk)).data


class ProjectDetail(ProjectView):
    roles = {"PATCH": Role.OWNER, "DELETE": Role.OWNER}
    scopes = {"DELETE": KeyScope.PAY}

    @extend_schema(operation_id="get_project", responses={200: ProjectSerializer})
    def get(self, request: Request, slug: str) -> Response:
        """One project with its counts."""
        return Response(_as_seen(self, self.project))

    @extend_schema(
        operation_id="update_project",
        request=ProjectChangeSerializer,
        responses={200: ProjectSerializer},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the name or the description."""
        form = ProjectChangeSerializer(self.project, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        service.update_project(
            project=self.project,
            name=form.validated_data.get("name", self.project.name),
            description=form.validated_data.get("description", self.project.description),
        )
        return Response(_as_seen(self, self.project))

    @extend_schema(operation_id="delete_project", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete the project and everything in it."""
        service.delete_project(project=self.project)
        return Response(status=204)


class Members(ProjectView):
    @extend_schema(
        operation_id="list_members",
        parameters=PAGED,
        responses={200: page_of(MembershipSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The project's members and their roles."""
        return self.paged(queries.list_members(self.project), MembershipSerializer)


class MemberDetail(ProjectView):
    roles = {"PATCH": Role.OWNER, "DELETE": Role.OWNER}
    scopes = {"PATCH": KeyScope.PAY, "DELETE": KeyScope.PAY}

    @extend_schema(
        operation_id="change_role",
        request=MembershipSerializer,
        responses={200: MembershipSerializer},
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Change a member's role."""
        membership = get_object_or_404(self.project.memberships.select_related("user"), pk=pk)
        form = MembershipSerializer(membership, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        role = Role(form.validated_data.get("role", membership.role))
        service.change_role(membership=membership, role=role, user=self.user)
        return Response(MembershipSerializer(membership).data)

    @extend_schema(operation_id="remove_member", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Remove a member; their work stays."""
        membership = get_object_or_404(self.project.memberships.select_related("user"), pk=pk)
        service.remove_member(membership=membership, user=self.user)
        return Response(status=204)


class Invitations(ProjectView):
    roles = {"GET": Role.OWNER, "POST": Role.OWNER}
    # An open invitation is a link that lets somebody in: it is no less than the role it gives.
    scopes = {"GET": KeyScope.PAY, "POST": KeyScope.PAY}

    @extend_schema(
        operation_id="list_invitations",
        parameters=PAGED,
        responses={200: page_of(InvitationSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Invitation links that have not been used yet."""
        return self.paged(queries.list_open_invitations(self.project), InvitationSerializer)

    @extend_schema(
        operation_id="create_invitation",
        request=InvitationSerializer,
        responses={201: InvitationSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create an invitation link for one person."""
        form = InvitationSerializer(data=request.data, context={"request": request})
        form.is_valid(raise_exception=True)
        invitation = service.create_invitation(
            project=self.project,
            user=self.user,
            role=Role(form.validated_data["role"]),
            note=form.validated_data.get("note", ""),
        )
        data = InvitationSerializer(invitation, context={"request": request}).data
        return Response(data, status=201)


class AcceptInvitation(GizaView):
    scopes = {"POST": KeyScope.PAY}

    @extend_schema(
        operation_id="accept_invitation", request=None, responses={201: MembershipSerializer}
    )
    def post(self, request: Request, token: str) -> Response:
        """Accept an invitation; `token` is the last part of its link."""
        invitation = queries.get_invitation(token)
        if invitation is None:
            raise NotFound(_("This invitation was withdrawn, or its link is incomplete."))
        joined = service.accept_invitation(invitation=invitation, user=self.user)
        return Response(MembershipSerializer(joined).data, status=201)


class InvitationDetail(ProjectView):
    roles = {"DELETE": Role.OWNER}
    scopes = {"DELETE": KeyScope.PAY}

    @extend_schema(operation_id="revoke_invitation", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Withdraw an invitation."""
        service.revoke_invitation(invitation=get_object_or_404(self.project.invitations, pk=pk))
        return Response(status=204)
