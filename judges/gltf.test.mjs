// glTF out: valid to the Khronos validator, and vertices where our own sampling has them to three.js. Looks at every file in the folder
// that the variable GLTF_SAMPLES names: a .glb with a .json beside it is evaluated, and everything must be valid.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { compare } from './evaluate.mjs';
import { validateGltf } from './peers.mjs';

const folder = process.env.GLTF_SAMPLES;
/** Of the size of the model. */
const TOLERANCE = 1e-3;
/** Infos that tell about the validator, the source, or sizes of pictures, not about mistakes. */
const EXPECTED_INFOS = new Set([
  'INCOMPLETE_EXTENSION_SUPPORT',
  'UNSUPPORTED_EXTENSION',
  'NODE_EMPTY',
  'UNUSED_OBJECT',
  'UNUSED_MESH_TANGENT',
  'IMAGE_NPOT_DIMENSIONS',
]);

if (!folder) {
  test('glTF samples', { skip: 'GLTF_SAMPLES is not set' }, () => {});
} else {
  const names = (await readdir(folder, { recursive: true })).sort();
  const models = names.filter((name) => /\.(glb|gltf)$/.test(name));
  test('there are samples', () => assert.ok(models.length > 0));

  for (const name of models) {
    test(`${name} is valid`, async () => {
      const file = join(folder, name);
      const read = (uri) => readFile(join(dirname(file), decodeURIComponent(uri)));
      const { issues } = await validateGltf(await readFile(file), read);
      const bad = issues.messages.filter(({ severity, code }) => severity < 2 || !EXPECTED_INFOS.has(code));
      assert.equal(issues.numErrors + issues.numWarnings, 0, JSON.stringify(bad.slice(0, 5), null, 1));
      assert.deepEqual(bad.slice(0, 5), []);
    });
    const expected = name.replace(/\.glb$/, '.json');
    if (expected !== name && names.includes(expected)) {
      test(`${name} moves as it should`, async () => {
        const glb = await readFile(join(folder, name));
        const { size, poses } = JSON.parse(await readFile(join(folder, expected)));
        const worst = await compare(glb, { size, poses });
        assert.ok(worst.share <= TOLERANCE, JSON.stringify(worst));

        // The judge must be able to say no: one vertex of the last pose is moved a little.
        const [vertex] = poses.at(-1)?.meshes.at(-1)?.positions ?? [];
        if (vertex) {
          vertex[0] += worst.size * TOLERANCE * 2;
          assert.ok((await compare(glb, { size, poses })).share > TOLERANCE);
        }
      });
    }
  }
}
