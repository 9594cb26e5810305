// glTF files that others wrote, from a package of examples: each becomes MDX and W3D that other readers read, or is refused with the reason.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { judge } from './authored.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const examples = join(here, 'node_modules', 'aframe-gltf-helpers', 'examples');

/** Files whose geometry is compressed. */
const COMPRESSED = ['buildings-gltfpack-c-kn.glb', 'buildings-gltfpack-cc-kn.glb', 'buildings.glb'];

test('glTF by others is converted, or refused with the reason', () => {
  const out = mkdtempSync(join(tmpdir(), 'meshwright-others-'));
  const files = readdirSync(examples).filter((name) => /\.(glb|gltf)$/.test(name));
  const words = ['run', '--quiet', '--package', 'meshwright-tools', '--bin', 'gltf_of_others', '--', out];
  const run = spawnSync('cargo', [...words, ...files.map((name) => join(examples, name))], { cwd: dirname(here), encoding: 'utf8' });
  assert.equal(run.status, 0, run.stdout + run.stderr);
  const lines = run.stdout.trim().split('\n');
  const refused = lines.filter((line) => line.includes(': refused: '));
  assert.deepEqual(refused.map((line) => line.split(':')[0]).sort(), COMPRESSED);
  for (const line of refused) assert.match(line, /(meshopt|draco_mesh)_compression is not supported; /i);
  const sizes = lines.map((line) => /: (\d+) triangles$/.exec(line)).filter(Boolean);
  assert.equal(sizes.length, files.length - COMPRESSED.length, run.stdout);
  assert.ok(sizes.every(([, triangles]) => Number(triangles) > 0), run.stdout);

  const { files: count, complaints } = judge(join(out, 'mdx'));
  assert.deepEqual(complaints, []);
  assert.equal(count, 3 * sizes.length);
  const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (python === undefined) return;
  const reader = spawnSync(python, [join(here, 'w3d_reader.py'), join(out, 'w3d')], { encoding: 'utf8' });
  assert.equal(reader.status, 0, reader.stdout + reader.stderr);
});
