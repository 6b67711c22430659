"""Files as they come in: a half that the disk had no room for is gone at once."""

from __future__ import annotations

import contextlib

from django.core.files.uploadhandler import TemporaryFileUploadHandler


class TidyUploadHandler(TemporaryFileUploadHandler):
    """Django leaves a file that it could not write until its garbage is collected."""

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        try:
            super().receive_data_chunk(raw_data, start)
        except OSError:
            with contextlib.suppress(OSError):  # what is buffered has no room either
                self.file.close()
            raise
        return None
