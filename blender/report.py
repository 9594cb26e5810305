# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of an import or export, in one text that people can read."""

import bpy

NAME = "Meshwright report"
_SHOWN = 12


class Report:
    def __init__(self, title):
        self.title = title
        self.problems = []
        self.sections = []

    def add(self, heading, lines):
        if lines:
            self.sections.append((heading, list(lines)))

    def problem(self, message):
        self.problems.append(message)

    def text(self):
        lines = [self.title, ""]
        for problem in self.problems:
            lines.append(f"Failed: {problem}")
        for heading, notes in self.sections:
            lines += ["", heading, *(f"  {note}" for note in notes)]
        return "\n".join(lines) + "\n"

    def finish(self, operator):
        """Writes the text, and tells the operator what to say. Returns whether nothing failed."""
        text = bpy.data.texts.get(NAME) or bpy.data.texts.new(NAME)
        text.clear()
        text.write(self.text())
        for problem in self.problems[:_SHOWN]:
            operator.report({"ERROR"}, problem)
        notes = sum(len(lines) for _, lines in self.sections)
        if not self.problems:
            hint = f" {notes} notes: see the text \"{NAME}\"." if notes else ""
            operator.report({"WARNING"} if notes else {"INFO"}, self.title + "." + hint)
        return not self.problems


def message(error):
    """An error of the toolkit as one line, without a traceback."""
    text = getattr(error, "message", None) or str(error) or type(error).__name__
    if "Traceback" in text:
        # An operator of Blender failed; its last line but the location says why.
        lines = [line.strip() for line in text.splitlines() if "Error: " in line and "Traceback" not in line]
        text = "Blender's glTF add-on failed: " + (lines[-1].split("Error: ", 1)[1] if lines else "unknown error")
    advice = getattr(error, "advice", None)
    file = getattr(error, "file", None)
    text = f"{file}: {text}" if file else text
    return f"{text} ({advice})" if advice else text
