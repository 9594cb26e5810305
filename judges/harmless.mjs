// Safe repairs do no harm: `node harmless.mjs FOLDER MESHWRIGHT`, with a folder of W3D or MDX models. The models and damaged copies of them are
// repaired by `check --fix`. Then readers by others must reach all that they reached before, a second repair must change nothing, and a file that
// is not whole again must be reported as damaged.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

import { parseMdxViewer, parseMdxWar3Model } from './peers.mjs';

/** Numbers that look random and are the same in every run (xorshift). */
function random(seed) {
  let state = seed >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

const textMode = (bytes) => Buffer.from(bytes.toString('latin1').replace(/\n/g, '\r\n'), 'latin1');
const utf8 = (bytes) => Buffer.from(new TextDecoder('windows-1252').decode(bytes), 'utf8');

/** Where the size fields of top-level chunks are. */
function sizeFields(bytes, isMdx) {
  const fields = [];
  for (let at = isMdx ? 4 : 0; at + 8 <= bytes.length; ) {
    fields.push(at + 4);
    at += 8 + (bytes.readUInt32LE(at + 4) & 0x7fffffff);
  }
  return fields;
}

function withSize(bytes, isMdx, which, by) {
  const fields = sizeFields(bytes, isMdx);
  const field = fields[which % Math.max(fields.length, 1)];
  if (field === undefined || (bytes.readUInt32LE(field) & 0x7fffffff) + by < 0) return null;
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE((bytes.readUInt32LE(field) + by) >>> 0, field);
  return copy;
}

/** A geoset whose size field is 4 too small: readers that do not look at it still read the file. */
function smallGeoset(bytes) {
  for (let at = 4; at + 12 <= bytes.length; at += 8 + bytes.readUInt32LE(at + 4))
    if (bytes.toString('latin1', at, at + 4) === 'GEOS' && bytes.readUInt32LE(at + 8) > 100) {
      const copy = Buffer.from(bytes);
      copy.writeUInt32LE(bytes.readUInt32LE(at + 8) - 4, at + 8);
      return copy;
    }
  return null;
}

function noise(bytes, seed) {
  const next = random(seed + bytes.length);
  const copy = Buffer.from(bytes);
  for (let change = 0; change < 3; change += 1) copy[16 + next(Math.max(copy.length - 16, 1))] = next(256);
  return copy;
}

/** The copies of a model: what was done, the bytes, and whether a copy that is not whole again must be reported. */
function copies(bytes, isMdx) {
  return [
    ['whole', bytes, false],
    ['cut', bytes.subarray(0, Math.floor(bytes.length * 0.6)), true],
    ['crlf', textMode(bytes), true],
    ['utf8', utf8(bytes), true],
    ['size+4', withSize(bytes, isMdx, 2, 4), true],
    ['size-4', withSize(bytes, isMdx, 3, -4), true],
    ['geoset-4', isMdx ? smallGeoset(bytes) : null, true],
    ['noise1', noise(bytes, 1), false],
    ['noise2', noise(bytes, 2), false],
  ].filter(([, copy]) => copy);
}

/** What the engine reaches in a W3D file: it trusts each chunk's own size, whatever the chunk above it says. */
function reachedInW3d(bytes) {
  const reached = { objects: 0, meshes: 0, triangles: 0, keys: 0 };
  const word = (at) => (at + 4 <= bytes.length ? bytes.readUInt32LE(at) : null);
  const children = (start, size, see) => {
    let at = start;
    while (at !== start + size && word(at + 4) !== null) {
      const length = word(at + 4) & 0x7fffffff;
      at = Math.max(see(word(at), at + 8, length), at + 8 + length);
    }
    return at;
  };
  for (let at = 0; word(at + 4) !== null; ) {
    const [id, start, size] = [word(at), at + 8, word(at + 4) & 0x7fffffff];
    let end = start + size;
    if (id === 0)
      end = children(start, size, (id, body, length) => {
        if (id === 0x1f && length === 116 && body + length <= bytes.length) reached.meshes += 1;
        if (id === 0x20) reached.triangles += Math.floor(Math.min(Math.max(bytes.length - body, 0), length) / 32);
        return body + length;
      });
    else if (id === 0x700)
      end = children(start, size, (id, body, length) =>
        [0x702, 0x705, 0x706].includes(id)
          ? children(body, length, (id, body, length) => {
              if (id === 0x704 && body + length <= bytes.length) reached.objects += 1;
              return body + length;
            })
          : body + length,
      );
    else if (id === 0x200 || id === 0x280)
      end = children(start, size, (id, body, length) => {
        if ([0x202, 0x282, 0x284].includes(id)) reached.keys += Math.min(Math.max(bytes.length - body, 0), length);
        return body + length;
      });
    at = Math.max(end, start + size);
  }
  return { walker: reached };
}

/** Numbers of keys anywhere below a model of a reader. */
function keysBelow(value, isKeys, seen = new Set()) {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || seen.has(value)) return 0;
  seen.add(value);
  return Object.entries(value).reduce((sum, [key, inner]) => sum + (Array.isArray(inner) && isKeys(key) ? inner.length : 0) + keysBelow(inner, isKeys, seen), 0);
}

/** What the JavaScript readers reach in an MDX file; a reader that refuses it reaches nothing. */
function reachedInMdx(bytes) {
  const reached = {};
  const attempt = (name, read) => {
    try {
      reached[name] = read();
    } catch {
      reached[name] = {};
    }
  };
  attempt('war3-model', () => {
    const model = parseMdxWar3Model(bytes);
    const triangles = model.Geosets.reduce((sum, geoset) => sum + (geoset.Faces?.length ?? 0) / 3, 0);
    return { objects: model.Nodes.filter(Boolean).length, meshes: model.Geosets.length, triangles, keys: keysBelow(model, (key) => key === 'Keys') };
  });
  attempt('mdx-m3-viewer', () => {
    const model = parseMdxViewer(bytes);
    const triangles = model.geosets.reduce((sum, geoset) => sum + geoset.faces.length / 3, 0);
    const objects = ['bones', 'lights', 'helpers', 'attachments', 'particleEmitters', 'particleEmitters2', 'ribbonEmitters', 'eventObjects', 'collisionShapes'];
    return {
      objects: objects.reduce((sum, list) => sum + model[list].length, 0),
      meshes: model.geosets.length,
      triangles,
      keys: keysBelow(model, (key) => key === 'frames'),
    };
  });
  return reached;
}

/** What a reader reached before and does not any more. */
function lost(before, after) {
  // What reads no part of a file has only not noticed the damage.
  const reads = ([, counts]) => Object.values(counts).some((count) => count > 0);
  return Object.entries(before).filter(reads).flatMap(([reader, counts]) =>
    Object.entries(counts)
      .filter(([what, count]) => !((after[reader][what] ?? -1) >= count))
      .map(([what, count]) => `${reader} reached ${count} ${what}, and now ${after[reader][what] ?? 'cannot read it'}`),
  );
}

const [folder, meshwright] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'meshwright-harmless-'));
const [before, after] = ['before', 'after'].map((name) => join(scratch, name));
mkdirSync(before);
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const made = new Map();
for (const [at, path] of files.map((entry) => join(entry.parentPath, entry.name)).sort().entries()) {
  const bytes = readFileSync(path);
  const isMdx = bytes.toString('latin1', 0, 4) === 'MDLX';
  for (const [what, copy, report] of copies(bytes, isMdx)) {
    const name = `${at}-${what}.${isMdx ? 'mdx' : 'w3d'}`;
    writeFileSync(join(before, name), copy);
    made.set(name, { what, copy, report, isMdx, original: bytes, whole: name.replace(what, 'whole'), from: basename(path) });
  }
}
cpSync(before, after, { recursive: true });
const options = { encoding: 'utf8', maxBuffer: 1 << 30 };
const check = (...more) => spawnSync(meshwright, ['check', after, '--format', 'json', ...more], options);
check('--fix');
const once = new Map([...made.keys()].map((name) => [name, readFileSync(join(after, name))]));
const { stdout, status } = check();
check('--fix');
const errors = new Map();
for (const { path, readable, findings } of JSON.parse(stdout).files)
  errors.set(relative(after, path) || basename(path), !readable || findings.some(({ severity }) => severity === 'error'));
const faults = [];
const counts = { changed: 0, restored: 0, reported: 0 };
for (const [name, { what, copy, report, isMdx, original, whole, from }] of made) {
  const repaired = once.get(name);
  const fault = (message) => faults.push(`${from}, ${what}: ${message}`);
  if (!readFileSync(join(after, name)).equals(repaired)) fault('a second repair changes more');
  const isReported = errors.get(name) ?? errors.get(basename(name)) ?? false;
  counts.reported += isReported;
  // Whole again: as it was, but for what was wrong with the model itself.
  const isWhole = repaired.equals(original) || repaired.equals(once.get(whole));
  if (report && !isWhole && !isReported) fault('the damage remains, but is not reported as an error');
  if (repaired.equals(copy) || isWhole) {
    counts.restored += isWhole && what !== 'whole' && !repaired.equals(copy);
    counts.changed += !repaired.equals(copy);
    continue;
  }
  counts.changed += 1;
  const reached = isMdx ? reachedInMdx : reachedInW3d;
  lost(reached(copy), reached(repaired)).forEach(fault);
}
if (faults.some((fault) => /not reported/.test(fault)) || (counts.reported > 0 && !(status > 0))) faults.push(`check ended with ${status}`);
rmSync(scratch, { recursive: true });
faults.forEach((fault) => console.log(fault));
console.log(
  `${files.length} models, ${made.size} copies: ${counts.changed} repaired, ${counts.restored} of them whole again, ${counts.reported} reported as damaged; ${faults.length} faults`,
);
process.exitCode = made.size > 0 && faults.length === 0 ? 0 : 1;
