// The linter: against mdx-m3-viewer's over our samples and the fixtures of all rules, and what it prints against the schemas.
// MESHWRIGHT is the program.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import Ajv from 'ajv/dist/2020.js';

import { compare } from './lint.mjs';
import { runTool } from './tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => JSON.parse(readFileSync(path));

// The files of each rule, good and bad: those in MESHWRIGHT_FIXTURES, or written now. The samples of every version come beside them.
const folder = process.env.MESHWRIGHT_FIXTURES ?? mkdtempSync(join(tmpdir(), 'meshwright-check-'));
if (!process.env.MESHWRIGHT_FIXTURES) {
  const env = { ...process.env, MESHWRIGHT_FIXTURES: folder };
  execFileSync('cargo', ['test', '--quiet', '--package', 'meshwright-check', '--test', 'it', 'fixtures_are_files'], { cwd: root, env });
}
after(() => rmSync(folder, { recursive: true }));
const found = JSON.parse(runTool('findings', ['--samples', join(folder, 'samples'), folder]));

test('everything that mdx-m3-viewer finds is found or refuted', () => {
  const models = found.files.filter(({ path }) => path.endsWith('.mdx'));
  assert.ok(models.length > 100, `${models.length} models`);
  const { compared, missed, extra } = compare(models);
  assert.ok(compared > 100, `the peer finds ${compared} things`);
  assert.deepEqual(missed, []);
  // What only we find says in the catalogue whom it is from: other tools, the notes on the format, or what real files show.
  const rules = readFileSync(join(root, 'docs/rules.md'), 'utf8').split(/^### /m);
  const unexplained = extra.filter((code) => !rules.some((rule) => rule.startsWith(`${code}`) && /^- Known from: ./m.test(rule)));
  assert.deepEqual(unexplained, []);
});

// SARIF's own schema is in a draft that only older versions of the validator read; the package that has the one has the other.
const require = createRequire(import.meta.url);
const sarif = createRequire(require.resolve('@microsoft/jest-sarif/package.json'));
const Ajv6 = sarif('ajv');
const ajv6 = new Ajv6({ schemaId: 'id', allErrors: true, logger: false, meta: sarif('ajv/lib/refs/json-schema-draft-04.json') });
const schemas = {
  sarif: ajv6.compile(sarif('./lib/schemas/sarif-2.1.0-rtm.5.json')),
  json: new Ajv({ allErrors: true, allowUnionTypes: true }).compile(read(join(root, 'docs/check.schema.json'))),
};

test('the schemas can say no', () => {
  assert.ok(schemas.sarif({ version: '2.1.0', runs: [] }));
  assert.ok(!schemas.sarif({ version: '2.1.0', runs: [{ results: [{ message: 'text' }] }] }));
  assert.ok(!schemas.json({ schema: 'meshwright-check-2', files: [{}] }));
});

const { MESHWRIGHT } = process.env;
for (const form of ['json', 'sarif']) {
  test(`check --format ${form} follows its schema`, { skip: MESHWRIGHT ? false : 'MESHWRIGHT is not set' }, () => {
    const text = join(folder, 'text');
    // Text that is no model, text with a mistake in it, text with something to find, and a file of another sort.
    const broken = ['Model "a" { BlendTime soon, }', 'nothing', 'Model "a" { } Helper "b" { Parent 3, } Nonsense { }'];
    const files = broken.map((content, at) => [`${text}-${at}.mdl`, content]);
    for (const [path, content] of files) writeFileSync(path, content);
    const words = ['check', '--format', form, '--severity', 'hint', folder, ...files.map(([path]) => path), fileURLToPath(import.meta.url), join(folder, 'missing.w3d')];
    const { stdout } = spawnSync(MESHWRIGHT, words, { encoding: 'utf8', maxBuffer: 1 << 29 });
    const printed = JSON.parse(stdout);
    const validate = schemas[form];
    assert.ok(validate(printed), JSON.stringify(validate.errors?.slice(0, 5), null, 1));
    // It is a log of everything, and text has lines.
    const results = form === 'sarif' ? printed.runs[0].results : printed.files.flatMap(({ findings }) => findings);
    assert.ok(results.length > readdirSync(folder).length);
    const lines = form === 'sarif' ? results.map((it) => it.locations[0].physicalLocation.region?.startLine) : results.map(({ line }) => line);
    assert.ok(lines.some((line) => line > 0));
  });
}
