"""Pictures of models in Blender (Cycles), with the cameras that pictures.mjs wrote: `python pictures.py OUT_DIR`. Needs the package bpy."""

import json
import math
import sys
from pathlib import Path

import bpy
import mathutils


def axes(point):
    """glTF's (x, y, z) is Blender's (x, -z, y)."""
    x, y, z = point
    return mathutils.Vector((x, -z, y))


def draw(camera, out):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=camera["glb"])
    scene = bpy.context.scene
    # The importer makes the first animation, Stand, the active one.
    scene.frame_set(0)
    eye, target = axes(camera["eye"]), axes(camera["target"])
    data = bpy.data.cameras.new("picture")
    data.sensor_fit = "VERTICAL"
    data.angle = math.radians(camera["field_of_view"])
    data.clip_start, data.clip_end = camera["radius"] / 100, camera["radius"] * 100
    holder = bpy.data.objects.new("picture", data)
    holder.location = eye
    holder.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(holder)
    scene.camera = holder
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 2.5
    sun.rotation_euler = axes((-2, -5, -3)).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(sun)
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.13, 0.18, 0.25, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 2.0
    scene.world = world
    scene.view_settings.view_transform = "Standard"
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 8, False
    scene.cycles.transparent_max_bounces = 32
    scene.render.resolution_x, scene.render.resolution_y = camera["size"]
    scene.render.filepath = str(out / f'{camera["name"]}.blender.png')
    bpy.ops.render.render(write_still=True)


out = Path(sys.argv[1])
for camera in json.loads((out / "cameras.json").read_text()):
    draw(camera, out)
    print(camera["name"], flush=True)
