// The judges themselves: each one loads, accepts a minimal sound file and refuses a broken one. A judge that cannot
// say no proves nothing about what we write.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  loadGltfThree,
  parseMdlViewer,
  parseMdlWar3Model,
  parseMdxViewer,
  parseMdxWar3Model,
  sanityTest,
  validateGltf,
} from './peers.mjs';

const chunk = (tag, payload) => {
  const header = Buffer.alloc(8);
  header.write(tag, 'latin1');
  header.writeUInt32LE(payload.length, 4);
  return Buffer.concat([header, payload]);
};

/** The smallest model: the version, and the 372-byte MODL record of which only the name and the blend time are set. */
function minimalMdx() {
  const version = Buffer.alloc(4);
  version.writeUInt32LE(800);
  const info = Buffer.alloc(372);
  info.write('Anvil', 'latin1');
  info.writeUInt32LE(150, 368);
  return Buffer.concat([Buffer.from('MDLX'), chunk('VERS', version), chunk('MODL', info)]);
}

const minimalMdl = `Version {
	FormatVersion 800,
}
Model "Anvil" {
	BlendTime 150,
}
`;

/** One node at (1, 2, 3) in one scene. */
const minimalGltf = (version) =>
  Buffer.from(
    JSON.stringify({
      asset: { version },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ name: 'Anvil', translation: [1, 2, 3] }],
    }),
  );

test('war3-model reads MDX and MDL', () => {
  for (const model of [parseMdxWar3Model(minimalMdx()), parseMdlWar3Model(minimalMdl)]) {
    assert.equal(model.Version, 800);
    assert.equal(model.Info.Name, 'Anvil');
    assert.equal(model.Info.BlendTime, 150);
  }
  assert.throws(() => parseMdxWar3Model(Buffer.from('not a model')));
  assert.throws(() => parseMdlWar3Model('Model "Anvil" {'));
});

test('mdx-m3-viewer reads MDX and MDL', () => {
  for (const model of [parseMdxViewer(minimalMdx()), parseMdlViewer(minimalMdl)]) {
    assert.equal(model.version, 800);
    assert.equal(model.name, 'Anvil');
    assert.equal(model.blendTime, 150);
  }
  assert.throws(() => parseMdxViewer(minimalMdx().subarray(0, -1)));
  assert.throws(() => parseMdlViewer('Anvil { }'));
});

test('mdx-m3-viewer lints a model', () => {
  const report = sanityTest(parseMdxViewer(minimalMdx()));
  assert.equal(report.errors, 0, JSON.stringify(report));
  assert.ok(report.messages.some(({ type, message }) => type === 'warning' && message === 'No sequences'));

  const unknownVersion = minimalMdx();
  unknownVersion.writeUInt32LE(123, 12);
  assert.ok(sanityTest(parseMdxViewer(unknownVersion)).warnings > report.warnings);
});

test('gltf-validator accepts a sound file and reports a broken one', async () => {
  const sound = await validateGltf(minimalGltf('2.0'));
  assert.equal(sound.issues.numErrors, 0, JSON.stringify(sound.issues));
  const broken = await validateGltf(minimalGltf('two'));
  assert.ok(broken.issues.numErrors > 0);
});

test('three.js loads glTF', async () => {
  const { scene } = await loadGltfThree(minimalGltf('2.0'));
  assert.deepEqual(scene.getObjectByName('Anvil').position.toArray(), [1, 2, 3]);
  await assert.rejects(loadGltfThree(minimalGltf('1.0')));
});
