"""The pages' own files: scripts, styles, fonts. A page asks for up to thirty of them at once."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope


class OwnFiles(StaticFiles):
    """Keeps each file in memory once it was asked for; one that has changed is read again. Parts of
    files come from the disk: Safari asks so for sounds."""

    def __init__(self, directory: Path) -> None:
        """All that lies under `directory`."""
        super().__init__(directory=directory)
        self._kept: dict[str, tuple[int, int, bytes]] = {}

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The answer with the whole file, or that the browser has it already."""
        answer = super().file_response(full_path, stat_result, scope, status_code)
        if not isinstance(answer, FileResponse) or "range" in Headers(scope=scope):
            return answer
        path, since = str(full_path), (stat_result.st_mtime_ns, stat_result.st_size)
        kept = self._kept.get(path)
        if kept is None or kept[:2] != since:
            kept = self._kept[path] = (*since, Path(path).read_bytes())
        return Response(kept[2], status_code, dict(answer.headers))
