// glTF files that others wrote, from packages that have them as examples or tests: each becomes MDX and W3D that other readers read, or is
// refused with the reason. Some are sample models of Khronos: the Fox, BoxTextured, BoxAnimated, AnimatedMorphCube, MorphStressTest.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { judge } from './authored.mjs';
import { spawnTool } from './tools.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** Rust packages with glTF files, by name and version, and how many files they have. */
const CRATES = {
  'bevy-scene-hook-10.0.0': 1,
  'bevy_gltf_trait-0.8.0': 1,
  'bevy_mod_outline-0.13.0': 3,
  'easy-gltf-1.1.5': 6,
  'gltfgen-0.9.1': 9,
  'kiss3d-0.47.0': 4,
};

/** Files whose geometry is compressed. */
const COMPRESSED = ['buildings-gltfpack-c-kn.glb', 'buildings-gltfpack-cc-kn.glb', 'buildings.glb'];

/** The glTF files below a folder. */
function filesBelow(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesBelow(path);
    return /\.(glb|gltf)$/.test(name) ? [path] : [];
  });
}

/** The folder of a Rust package, downloaded if need be. */
function crate(name) {
  const [, title, version] = /^(.*)-([0-9.]+)$/.exec(name);
  // Cargo unpacks a package to tell about it.
  spawnSync('cargo', ['info', '--quiet', `${title}@${version}`]);
  const registry = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry', 'src');
  const sources = existsSync(registry) ? readdirSync(registry) : [];
  return sources.map((source) => join(registry, source, name)).find(existsSync);
}

/** Converts files for each game. All of them must be written, but for those that have to be refused. */
function convert(files, refusals) {
  const out = mkdtempSync(join(tmpdir(), 'meshwright-others-'));
  after(() => rmSync(out, { recursive: true }));
  const run = spawnTool('gltf_of_others', [out, ...files]);
  assert.equal(run.status, 0, run.stdout + run.stderr);
  const lines = run.stdout.trim().split('\n');
  const refused = lines.filter((line) => line.includes(': refused: '));
  assert.deepEqual(refused.map((line) => line.split(':')[0]).sort(), refusals);
  for (const line of refused) assert.match(line, /(meshopt|draco_mesh)_compression is not supported; /i);
  const sizes = lines.map((line) => /: (\d+) triangles$/.exec(line)).filter(Boolean);
  assert.equal(sizes.length, files.length - refusals.length, run.stdout);
  assert.ok(sizes.every(([, triangles]) => Number(triangles) > 0), run.stdout);

  const { files: count, complaints } = judge(join(out, 'mdx'));
  assert.deepEqual(complaints, []);
  assert.equal(count, 3 * sizes.length);
  const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (python === undefined) return;
  const reader = spawnSync(python, [join(here, 'w3d_reader.py'), join(out, 'w3d')], { encoding: 'utf8' });
  assert.equal(reader.status, 0, reader.stdout + reader.stderr);
}

test('glTF by others is converted, or refused with the reason', () => {
  convert(filesBelow(join(here, 'node_modules', 'aframe-gltf-helpers', 'examples')), COMPRESSED);
});

test('glTF in Rust packages, among it samples of Khronos, is converted', (context) => {
  const folders = Object.keys(CRATES).map(crate);
  if (folders.includes(undefined) && process.env.CI !== 'true') {
    context.skip('cargo cannot download the packages');
    return;
  }
  const files = folders.map(filesBelow);
  assert.deepEqual(files.map((list) => list.length), Object.values(CRATES));
  // Results are named after their sources, and several packages have the Fox.
  const byName = new Map(files.flat().map((file) => [basename(file), file]));
  assert.equal(byName.size, 23);
  convert([...byName.values()], []);
});
