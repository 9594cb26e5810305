// What `info --json` prints is as `docs/info.schema.json` says. MESHWRIGHT is the program, GLTF_SAMPLES a folder with a folder `models`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import Ajv from 'ajv/dist/2020.js';

const { MESHWRIGHT, GLTF_SAMPLES } = process.env;
const schema = JSON.parse(readFileSync(new URL('../docs/info.schema.json', import.meta.url)));
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

test('the schema can say no', () => {
  assert.ok(validate({ schema: 'meshwright-info-3', files: [], unreadable: [] }));
  assert.ok(!validate({ schema: 'meshwright-info-3', files: [{}], unreadable: [] }));
});

if (!MESHWRIGHT || !GLTF_SAMPLES) {
  test('info --json', { skip: 'MESHWRIGHT or GLTF_SAMPLES is not set' }, () => {});
} else {
  const models = join(GLTF_SAMPLES, 'models');
  test('info --json follows its schema', () => {
    for (const words of [[models], [models, join(models, 'missing.w3d'), new URL(import.meta.url).pathname], [models, '--textures', models]]) {
      const { stdout } = spawnSync(MESHWRIGHT, ['info', '--json', ...words], { maxBuffer: 1 << 28 });
      const printed = JSON.parse(stdout);
      assert.ok(printed.files.length > 3);
      assert.ok(validate(printed), JSON.stringify(validate.errors?.slice(0, 5), null, 1));
    }
  });
}
