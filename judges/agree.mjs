// Whether war3-model and mdx-m3-viewer find in an MDX what our JSON form of it says: counts, names, ids, key times and values.
//
//   node judges/agree.mjs MDX_FOLDER JSON_FOLDER
//
// compares every Warcraft III model of a folder with its JSON, which has the same path in the other one. A peer that cannot read a model
// has no opinion of it; one that reads it otherwise than we do is an error, but for the fault below.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

import { parseMdxViewer, parseMdxWar3Model } from './peers.mjs';

/** Calls `see` for every part of our JSON form. */
function walk(part, see) {
  see(part);
  for (const child of part.children ?? []) walk(child, see);
}

/** Fixed strings with something behind their end are objects in JSON, numbers that JSON lacks are strings. */
const text = (value) => value?.text ?? value;
const number = (value) => (typeof value === 'string' ? Number({ inf: 'Infinity', '-inf': '-Infinity' }[value] ?? 'NaN') : value);
const floats = (value) => [value].flat(2).map((one) => Math.fround(number(one)));
const sorted = (rows) => rows.map((row) => JSON.stringify(row)).sort();
/** Peers take names for UTF-8 or lose what is no ASCII; that is compared by nobody. */
const ascii = (name) => String(name).replace(/[^\x20-\x7e]+/g, '?');

/** Replaceable ids by the names that our JSON form has for them. */
const REPLACEABLE = {
  TEAM_COLOR: 1,
  TEAM_GLOW: 2,
  CLIFF: 11,
  CURSOR: 21,
  LORDAERON_TREE: 31,
  ASHENVALE_TREE: 32,
  BARRENS_TREE: 33,
  NORTHREND_TREE: 34,
  MUSHROOM_TREE: 35,
  RUINS_TREE: 36,
  OUTLAND_MUSHROOM_TREE: 37,
};

/** What our JSON form says: nodes, sequences, geosets, tracks. */
export function said(json) {
  const found = { version: 0, nodes: [], sequences: [], vertices: [], tracks: [], events: [], textures: [] };
  walk(json, (part) => {
    // The node of a particle emitter has flags of its own, and therefore another name.
    const node = part.part === 'NodeHeader' && (part.node ?? part.particle_emitter_node);
    if (node) found.nodes.push([ascii(text(node.name)), node.object_id, node.parent_id]);
    if (part.chunk === 'SEQS') found.sequences = (part.sequences ?? []).map((one) => [ascii(text(one.name)), one.start, one.end]);
    if (part.chunk === 'VERS') found.version = part.version;
    if (part.chunk === 'TEXS') found.textures = (part.textures ?? []).map((one) => [ascii(text(one.path)), REPLACEABLE[one.replaceable_id] ?? one.replaceable_id]);
    if (part.array === 'VRTX') found.vertices.push(floats(part.positions ?? []));
    if (part.track === 'KEVT') found.events.push(part.times ?? []);
    else if (part.track) {
      const keys = part.keys ?? part.tangent_keys ?? [];
      const value = (key) => [key.value, key.in_tan, key.out_tan].filter((one) => one !== undefined).flatMap(floats);
      found.tracks.push([part.track, keys.map((key) => key.time), keys.flatMap(value)]);
    }
  });
  return found;
}

export function viewerAgrees(bytes, ours) {
  const model = parseMdxViewer(bytes);
  const groups = ['bones', 'lights', 'helpers', 'attachments', 'particleEmitters', 'particleEmitters2', 'particleEmittersPopcorn', 'ribbonEmitters', 'eventObjects', 'collisionShapes'];
  const objects = groups.flatMap((group) => model[group]);
  assert.deepEqual(sorted(objects.map((node) => [ascii(node.name), node.objectId, node.parentId])), sorted(ours.nodes));
  assert.deepEqual(model.sequences.map((one) => [ascii(one.name), ...one.interval]), ours.sequences);
  assert.deepEqual(model.textures.map((one) => [ascii(one.path), one.replaceableId]), ours.textures);
  assert.deepEqual(model.geosets.map((geoset) => Array.from(geoset.vertices)), ours.vertices);
  assert.deepEqual(model.eventObjects.map((event) => Array.from(event.tracks, (time) => time | 0)), ours.events);
  const layers = model.materials.flatMap((material) => material.layers);
  const animated = [...objects, ...layers, ...model.textureAnimations, ...model.geosetAnimations, ...model.cameras];
  const tracks = animated.flatMap((object) => object.animations ?? []).map((track) => [
    track.name,
    track.frames,
    track.values.flatMap((value, at) => [value, track.inTans[at], track.outTans[at]].filter(Boolean).flatMap((one) => Array.from(one, Math.fround))),
  ]);
  assert.deepEqual(sorted(tracks), sorted(ours.tracks));
}

export function war3ModelAgrees(bytes, ours) {
  const words = { KGTR: 'Translation', KGRT: 'Rotation', KGSC: 'Scaling' };
  const model = parseMdxWar3Model(bytes);
  const nodes = Object.values(model.Nodes).filter(Boolean);
  assert.deepEqual(sorted(nodes.map((node) => [ascii(node.Name), node.ObjectId, node.Parent ?? -1])), sorted(ours.nodes));
  assert.deepEqual(model.Sequences.map((one) => [ascii(one.Name), ...Array.from(one.Interval)]), ours.sequences);
  assert.deepEqual(model.Textures.map((one) => [ascii(one.Image), one.ReplaceableId]), ours.textures);
  assert.deepEqual(model.Geosets.map((geoset) => Array.from(geoset.Vertices)), ours.vertices);
  const tracks = nodes.flatMap((node) =>
    Object.entries(words).filter(([, word]) => node[word]).map(([tag, word]) => [
      tag,
      node[word].Keys.map((key) => key.Frame),
      node[word].Keys.flatMap((key) => [key.Vector, key.InTan, key.OutTan].filter(Boolean).flatMap((one) => Array.from(one, Math.fround))),
    ]),
  );
  assert.deepEqual(sorted(tracks), sorted(ours.tracks.filter(([tag]) => tag in words)));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [models, texts] = argv.slice(2);
  const count = { agree: 0, differ: 0, fault: 0, refused: 0 };
  for (const name of readdirSync(models, { recursive: true })) {
    const json = join(texts, `${String(name).replace(/\.[^.]*$/, '')}.json`);
    if (!existsSync(json)) continue;
    const document = JSON.parse(readFileSync(json, 'utf8'));
    // The peers know only one of the two games.
    if (document.children.some((chunk) => chunk.wow_model)) continue;
    // Some files leave the tracks of their lights out of the sizes. war3-model then loses what follows.
    const faulty = document.children.some((chunk) => chunk.chunk === 'LITE' && chunk.size_delta);
    const ours = said(document);
    for (const [peer, agrees] of Object.entries({ 'mdx-m3-viewer': viewerAgrees, 'war3-model': war3ModelAgrees })) {
      // mdx-m3-viewer does not know the texture slots in the layers of later versions, and loses what follows them.
      if (peer === 'mdx-m3-viewer' && ours.version > 1000) {
        count.refused += 1;
        continue;
      }
      try {
        agrees(readFileSync(join(models, String(name))), ours);
        count.agree += 1;
      } catch (error) {
        if (error.code === 'ERR_ASSERTION' && faulty && peer === 'war3-model') {
          count.fault += 1;
        } else if (error.code === 'ERR_ASSERTION') {
          count.differ += 1;
          console.log(`${name}: ${peer} reads otherwise: ${String(error.message).slice(0, 600)}`);
        } else {
          count.refused += 1;
        }
      }
    }
  }
  console.log(`${count.agree} agree, ${count.differ} differ, ${count.fault} misread by the peer for the light fault, ${count.refused} refused by the peer`);
  exit(count.agree > 0 && count.differ === 0 ? 0 : 1);
}
