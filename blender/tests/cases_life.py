# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases about the life of the extension: installed, disabled, upgraded, removed."""

import os

import bpy
import support


def _state():
    import addon_utils

    return addon_utils.check(support.MODULE)


def _operators():
    return [name for name in dir(bpy.ops.meshwright) if not name.startswith("_")]


def _install():
    path = os.environ["MESHWRIGHT_ZIP"]
    result = bpy.ops.extensions.package_install_files(filepath=path, repo="user_default", enable_on_install=True)
    assert result == {"FINISHED"}, result


def install():
    _install()
    # A zip for another platform finishes too.
    assert _state() == (True, True), _state()
    assert {"import_model", "export_model", "play"} <= set(_operators())
    assert hasattr(bpy.types, "MESHWRIGHT_FH_models") and hasattr(bpy.types, "MESHWRIGHT_PT_clips")
    import meshwright

    assert "site-packages" in meshwright.__file__, meshwright.__file__
    # Remembered, so that the next process finds it.
    bpy.ops.wm.save_userpref()


def disabled_and_enabled_again():
    import addon_utils

    support.load(support.sample("mwtank.w3d"))
    for _ in range(2):
        addon_utils.disable(support.MODULE, default_set=True)
        assert not hasattr(bpy.types, "MESHWRIGHT_FH_models")
        assert not hasattr(bpy.types, "MESHWRIGHT_PT_clips")
        assert not any("meshwright" in repr(it).lower() for it in bpy.types.TOPBAR_MT_file_import._dyn_ui_initialize())
        addon_utils.enable(support.MODULE, default_set=True)
        assert hasattr(bpy.types, "MESHWRIGHT_FH_models")
    support.load(support.sample("mwtower.mdx"))


def upgraded_and_uninstalled():
    _install()
    assert _state() == (True, True)
    support.load(support.sample("mwtank.w3d"))
    repos = bpy.context.preferences.extensions.repos
    index = next(i for i, repo in enumerate(repos) if repo.module == "user_default")
    assert bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="meshwright") == {"FINISHED"}
    assert _state() == (False, False), _state()
    assert not hasattr(bpy.types, "MESHWRIGHT_FH_models")
