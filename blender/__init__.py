# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshwright in Blender: import, edit and export W3D, MDX and MDL models."""

import bpy

from . import archive_browser, export_operator, import_operator, new_model, panel, preferences, team_color

_MODULES = (preferences, import_operator, archive_browser, export_operator, panel, team_color, new_model)
_MENUS = (
    (bpy.types.TOPBAR_MT_file_import, import_operator.menu),
    (bpy.types.TOPBAR_MT_file_export, export_operator.menu),
    (bpy.types.VIEW3D_MT_add, new_model.add_menu),
    (bpy.types.VIEW3D_MT_object, new_model.object_menu),
)


def register():
    for module in _MODULES:
        for one in module.CLASSES:
            bpy.utils.register_class(one)
    for menu, draw in _MENUS:
        menu.append(draw)


def unregister():
    for menu, draw in _MENUS:
        menu.remove(draw)
    for module in reversed(_MODULES):
        for one in reversed(module.CLASSES):
            bpy.utils.unregister_class(one)
    panel.forget()
    archive_browser.forget()
