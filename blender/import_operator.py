# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import: models, folders of models, and models in archives; drag and drop."""

import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty
from bpy.types import FileHandler, Operator, OperatorFileListElement
from bpy_extras.io_utils import ImportHelper, poll_file_object_drop

from . import import_scene, materials, preferences, report, toolkit

_MAX_FILES = 2000


class Choices:
    """The options of an import, shared by the operators."""

    levels: EnumProperty(
        name="Levels of detail",
        items=(
            ("highest", "Most detailed", "Import only the most detailed level"),
            ("separate", "All", "Import all levels, one above the other"),
        ),
    )
    game: EnumProperty(
        name="Game",
        description="The game that the model is for. Checks and exports use it",
        items=(("auto", "Detect", "Guess the game from the file"), *((it, it, "") for it in toolkit.GAMES)),
    )
    clips: EnumProperty(
        name="Clips",
        items=(
            ("all", "All", "Import all clips"),
            ("some", "By name", "Import clips whose name contains a text"),
            ("none", "None", "Import no clips. They stay in the file at the export"),
        ),
    )
    clip_name: StringProperty(name="Name", description="Import clips whose name contains this text, such as Stand")
    collision: BoolProperty(name="Hidden and collision meshes", description="Also import meshes that are never shown")
    use_team_color: BoolProperty(name="Team colour", description="Paint the colour of the player", default=True)

    def draw_choices(self, layout):
        layout.use_property_split = True
        layout.prop(self, "game")
        layout.prop(self, "levels")
        layout.prop(self, "clips")
        if self.clips == "some":
            layout.prop(self, "clip_name")
        layout.prop(self, "collision")
        layout.prop(self, "use_team_color")

    def is_wanted(self, clip):
        """Whether a clip is imported."""
        return self.clips == "all" or self.clips == "some" and self.clip_name.lower() in clip.lower()

    def chosen_options(self, context):
        chosen = {"levels": self.levels, "hidden": self.collision}
        if self.use_team_color:
            chosen["team_color"] = materials.as_bytes(preferences.of(context).team_color)
        return chosen


def import_all(operator, context, paths):
    """Imports files one after the other. A file that fails does not stop the others."""
    done, told = 0, report.Report("")
    places, chosen = preferences.places(context), operator.chosen_options(context)
    own = preferences.of(context)
    manager = context.window_manager
    manager.progress_begin(0, len(paths))
    for index, path in enumerate(paths):
        manager.progress_update(index)
        try:
            loaded = toolkit.load(path, places, chosen)
            if operator.game != "auto":
                loaded.chosen_game = loaded.game = operator.game
            loaded.keep_clips(operator.is_wanted)
            _, messages = import_scene.add(context, loaded, own.show_points, own.as_game)
            told.add(path, [*messages, *loaded.notes])
            done += 1
        except (toolkit.Error, ValueError, OSError, RuntimeError) as error:
            told.problem(report.message(error) if getattr(error, "file", None) else f"{path}: {report.message(error)}")
    manager.progress_end()
    told.title = f"{done} of {len(paths)} models imported" if len(paths) != 1 else f"{os.path.basename(paths[0])} imported"
    told.finish(operator)
    return {"FINISHED"} if done else {"CANCELLED"}


def models_below(folder):
    """The models in a folder and below it."""
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.join(place, name) for name in sorted(names) if toolkit.is_model(name)]
        if len(found) >= _MAX_FILES:
            break
    return found[:_MAX_FILES]


class MESHWRIGHT_OT_import(Operator, ImportHelper, Choices):
    bl_idname = "meshwright.import_model"
    bl_label = "Import Game Models"
    bl_description = "Import W3D, MDX and MDL models with skeleton, clips and textures; also from archives of the games"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".w3d"
    filter_glob: StringProperty(
        default=";".join("*" + it for it in (*toolkit.MODELS, *toolkit.ARCHIVES)), options={"HIDDEN"}
    )
    files: CollectionProperty(type=OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context, event):
        return self.invoke_popup(context) if self.directory and self.files else ImportHelper.invoke(self, context, event)

    def draw(self, _context):
        self.draw_choices(self.layout)

    def paths(self):
        if self.files and self.directory:
            return [os.path.join(self.directory, it.name) for it in self.files if it.name]
        return [self.filepath] if self.filepath else []

    def execute(self, context):
        paths = self.paths()
        archives = [path for path in paths if toolkit.is_archive(path) and os.path.isfile(path)]
        if archives and len(paths) == 1:
            if bpy.app.background:
                self.report({"ERROR"}, "An archive: choose a model in it, such as " + archives[0] + "/model.w3d")
                return {"CANCELLED"}
            bpy.ops.meshwright.archive("INVOKE_DEFAULT", archive=archives[0])
            return {"FINISHED"}
        if len(paths) == 1 and os.path.isdir(paths[0]):
            paths = models_below(paths[0])
        if not paths:
            self.report({"ERROR"}, "No model was chosen, or the folder has none.")
            return {"CANCELLED"}
        return import_all(self, context, paths)


class MESHWRIGHT_OT_import_folder(Operator, ImportHelper, Choices):
    bl_idname = "meshwright.import_folder"
    bl_label = "Import Folder of Game Models"
    bl_description = "Import all W3D, MDX and MDL models in a folder and below it"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ""
    use_filter_folder = True
    directory: StringProperty(subtype="DIR_PATH")

    def draw(self, _context):
        self.draw_choices(self.layout)

    filter_folder: BoolProperty(default=True, options={"HIDDEN"})

    def execute(self, context):
        paths = models_below(self.directory)
        if not paths:
            self.report({"ERROR"}, f"{self.directory}: no models in this folder")
            return {"CANCELLED"}
        return import_all(self, context, paths)


class MESHWRIGHT_FH_models(FileHandler):
    bl_idname = "MESHWRIGHT_FH_models"
    bl_label = "Game models (Meshwright)"
    bl_import_operator = "meshwright.import_model"
    bl_export_operator = "meshwright.export_model"
    bl_file_extensions = ";".join(toolkit.MODELS)

    @classmethod
    def poll_drop(cls, context):
        return poll_file_object_drop(context)


class MESHWRIGHT_FH_archives(FileHandler):
    bl_idname = "MESHWRIGHT_FH_archives"
    bl_label = "Archives of games (Meshwright)"
    bl_import_operator = "meshwright.import_model"
    bl_file_extensions = ".big;.mpq;.mix;.w3m;.w3x;.w3n"

    @classmethod
    def poll_drop(cls, context):
        return poll_file_object_drop(context)


def menu(self, _context):
    self.layout.operator(MESHWRIGHT_OT_import.bl_idname, text="Game Models (.w3d, .mdx, .mdl, archives)")
    self.layout.operator(MESHWRIGHT_OT_import_folder.bl_idname, text="Folder of Game Models")


CLASSES = (
    MESHWRIGHT_OT_import,
    MESHWRIGHT_OT_import_folder,
    MESHWRIGHT_FH_models,
    MESHWRIGHT_FH_archives,
)
