// The command line itself: every sample model becomes glTF that the Khronos validator has nothing against.
// MESHWRIGHT is the program, GLTF_SAMPLES a folder with a folder `models`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { loadGltfThree, validateGltf } from './peers.mjs';

const { MESHWRIGHT, GLTF_SAMPLES } = process.env;

if (!MESHWRIGHT || !GLTF_SAMPLES) {
  test('the command line', { skip: 'MESHWRIGHT or GLTF_SAMPLES is not set' }, () => {});
} else {
  const models = join(GLTF_SAMPLES, 'models');
  const out = mkdtempSync(join(tmpdir(), 'meshwright-judge-'));
  after(() => rmSync(out, { recursive: true }));
  const convert = (...words) => execFileSync(MESHWRIGHT, ['convert', '--quiet', ...words]);
  const variants = {
    glb: [],
    gltf: ['--hidden', '--levels', 'separate', '--visibility', 'extension', '--global-sequences', 'bake', '--team-color', '1'],
  };
  for (const [format, options] of Object.entries(variants)) {
    const folder = join(out, format);
    convert(models, '--out-dir', folder, '--to', format, ...options);
    const names = readdirSync(folder).filter((name) => name.endsWith(`.${format}`));
    test(`every sample becomes ${format}`, () => assert.equal(names.length, readdirSync(models).length));
    for (const name of names) {
      test(`${name} is valid`, async () => {
        const bytes = readFileSync(join(folder, name));
        const { issues } = await validateGltf(bytes, (uri) => readFileSync(join(folder, decodeURIComponent(uri))));
        const bad = issues.messages.filter(({ severity }) => severity < 2);
        assert.deepEqual(bad.slice(0, 5), []);
      });
    }
  }

  test('the crate opens, with its lid and its clip', async () => {
    convert(join(models, 'crate.w3d'), join(out, 'crate.glb'), '--no-textures');
    const { scene, animations } = await loadGltfThree(readFileSync(join(out, 'crate.glb')));
    assert.ok(scene.getObjectByName('LID'));
    assert.equal(animations.length, 1);
  });
}
