"""One file with everything that a server knows: made while it runs, put back all or nothing."""

from __future__ import annotations

from deploy.backup.archive import BackupError
from deploy.backup.making import backup
from deploy.backup.restoring import check_backup, restore

__all__ = ["BackupError", "backup", "check_backup", "restore"]
