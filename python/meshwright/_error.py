"""The exception of the package."""

from __future__ import annotations


class Error(Exception):
    """Why something could not be done.

    Damaged models are no errors: they open, and their damage is in `Model.diagnostics`. An error is a file that cannot be read or written, is
    not a model at all, or a change that cannot be made.
    """

    message: str
    """What is wrong."""
    code: str
    """A stable code, such as `FILE-FORMAT` or `FILE-ACCESS`."""
    file: str | None
    """The file, if it is about one."""
    span: tuple[int, int] | None
    """First byte and end of what it is about, if known."""
    part: str | None
    """The path of the part of the model, if known."""
    advice: str | None
    """What to do, if known."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "MESHWRIGHT",
        file: str | None = None,
        span: tuple[int, int] | None = None,
        part: str | None = None,
        advice: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.file = file
        self.span = span
        self.part = part
        self.advice = advice

    def __str__(self) -> str:
        text = f"{self.message} [{self.code}]"
        if self.file:
            text = f"{self.file}: {text}"
        if self.span:
            text += f" at byte {self.span[0]}"
        if self.part:
            text += f", {self.part}"
        if self.advice:
            text += f"\n  {self.advice}"
        return text

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.message, self.code, self.file, self.span, self.part, self.advice)


def _restore(
    message: str,
    code: str,
    file: str | None,
    span: tuple[int, int] | None,
    part: str | None,
    advice: str | None,
) -> Error:
    return Error(message, code=code, file=file, span=span, part=part, advice=advice)
