"""What people fill in; each form checks its own fields and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import KeyScope, User
from annotation.corpora.accounts.service import change_password
from annotation.corpora.corpus.models import SystemKind
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy
from scoring.io import FORMATS

if TYPE_CHECKING:
    SetPassword = SetPasswordForm[User]
else:
    SetPassword = SetPasswordForm

RESERVED_SLUGS = {"new"}
PASSWORD_RULES = gettext_lazy("At least 8 characters, not only digits, and not a common password.")


class SignInForm(forms.Form):
    username = forms.EmailField(
        label="E-mail",
        widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    password = forms.CharField(
        strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


class SignUpForm(forms.Form):
    name = forms.CharField(
        max_length=120,
        help_text=gettext_lazy("Shown to project members next to your work."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label="E-mail", widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        strip=False,
        help_text=PASSWORD_RULES,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        user = User(name=data.get("name", ""), email=data.get("email", ""))
        _validate_new_password(self, "password", user)
        return data


class AccountForm(forms.Form):
    name = forms.CharField(max_length=120)
    email = forms.EmailField(label="E-mail", help_text=gettext_lazy("You use it to sign in."))
    password = forms.CharField(
        label=gettext_lazy("Your password"),
        required=False,
        strip=False,
        help_text=gettext_lazy("Only needed to change your e-mail address."),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    code = forms.CharField(
        label=gettext_lazy("A code"),
        required=False,
        max_length=20,
        help_text=gettext_lazy(
            "From your app, or a recovery code. Only needed to change your e-mail address."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "none"}),
    )

    def __init__(self, *args: Any, needs_code: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not needs_code:
            del self.fields["code"]


class EmailForm(forms.Form):
    email = forms.EmailField(
        label="E-mail", widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class PasswordForm(forms.Form):
    current = forms.CharField(
        label=gettext_lazy("Current password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    new = forms.CharField(
        label=gettext_lazy("New password"),
        strip=False,
        help_text=PASSWORD_RULES,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    revoke_keys = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy("Also revoke all my API keys (every script will need a new one)"),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        _validate_new_password(self, "new", self.user)
        return data


class CodeForm(forms.Form):
    code = forms.CharField(
        max_length=20,
        help_text=gettext_lazy("The 6 digits in your app, or one of your recovery codes."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "none"}),
    )


class EnableForm(forms.Form):
    code = forms.CharField(
        max_length=20,
        help_text=gettext_lazy("The 6 digits that your app shows now."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Current password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class DisableForm(CodeForm):
    password = forms.CharField(
        label=gettext_lazy("Current password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class NewPasswordForm(SetPassword):
    """After a link: Django's, with our words."""

    revoke_keys = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy("Also revoke all my API keys (every script will need a new one)"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = PASSWORD_RULES
        self.fields["new_password2"].label = _("Repeat new password")
        self.fields["new_password2"].help_text = ""

    def save(self, commit: bool = True) -> User:
        change_password(
            user=self.user,
            password=self.cleaned_data["new_password1"],
            revoke_keys=self.cleaned_data["revoke_keys"],
        )
        return self.user


def _validate_new_password(form: forms.Form, field: str, user: User) -> None:
    if password := form.cleaned_data.get(field):
        try:
            validate_password(password, user)
        except ValidationError as error:
            form.add_error(field, error)


class KeyForm(forms.Form):
    """What a new key may do, and for how long."""

    scope = forms.ChoiceField(
        choices=KeyScope.choices, initial=KeyScope.READ, label=gettext_lazy("Scope")
    )
    days = forms.TypedChoiceField(
        choices=[
            ("", gettext_lazy("Never")),
            (30, gettext_lazy("In 30 days")),
            (90, gettext_lazy("In 90 days")),
            (365, gettext_lazy("In a year")),
        ],
        coerce=int,
        empty_value=None,
        required=False,
        label=gettext_lazy("Expires"),
    )


class TokenForm(KeyForm):
    name = forms.CharField(
        max_length=80,
        label=gettext_lazy("Key name"),
        help_text=gettext_lazy("What you will use it for, for instance: scoring notebook."),
    )
    field_order = ["name", "scope", "days"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # The profile's form has a field of the same name on the same page.
        super().__init__(*args, **{"auto_id": "token-%s", **kwargs})


class ProjectForm(forms.Form):
    name = forms.CharField(
        max_length=120, widget=forms.TextInput(attrs={"data-slug-from": "", "autocomplete": "off"})
    )
    slug = forms.SlugField(
        max_length=64,
        label=gettext_lazy("Address"),
        widget=forms.TextInput(attrs={"data-slug": "", "autocomplete": "off"}),
        help_text=gettext_lazy(
            "Letters, digits and hyphens, in lower case. It can't be changed later."
        ),
    )
    description = forms.CharField(
        max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"]).lower()
        if slug in RESERVED_SLUGS:
            raise ValidationError(_("This address is reserved."))
        return slug


class ProjectSettingsForm(forms.Form):
    name = forms.CharField(max_length=120)
    description = forms.CharField(
        max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


class InvitationForm(forms.Form):
    role = forms.ChoiceField(choices=Role.choices, initial=Role.ANNOTATOR)
    note = forms.CharField(
        max_length=120,
        required=False,
        help_text=gettext_lazy("Who it is for. Only owners see this."),
    )


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Role.choices)


class SystemForm(forms.Form):
    name = forms.CharField(max_length=200)
    kind = forms.ChoiceField(choices=SystemKind.choices)


class ManyFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """One or several files, as a list."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        files = data or [None]
        return [super(ManyFilesField, self).clean(item, initial) for item in files]


class ImportForm(forms.Form):
    files = ManyFilesField(  # type: ignore[assignment]
        label=gettext_lazy("Files"),
        allow_empty_file=True,
        help_text=gettext_lazy("A zip archive or individual files."),
    )
    format = forms.ChoiceField(
        required=False,
        choices=[("", gettext_lazy("Detect automatically")), *((name, name) for name in FORMATS)],
    )

    def __init__(self, *args: Any, max_bytes: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.max_bytes = max_bytes

    def clean_files(self) -> list[UploadedFile]:
        files: list[UploadedFile] = self.cleaned_data["files"]
        size = sum(file.size or 0 for file in files)
        if size > self.max_bytes:
            raise ValidationError(
                _(
                    "The files have {size:,} MB together; this server takes {max_bytes:,} MB."
                ).format(size=size // 2**20, max_bytes=self.max_bytes // 2**20)
            )
        return files
