// Our samples, written from their scenes, as other readers see them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { judge } from './authored.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

test('what is written from scenes is sound to other readers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshwright-authored-'));
  const run = (words) => execFileSync('cargo', ['run', '--quiet', ...words], { cwd: root });
  run(['--package', 'meshwright-tools', '--bin', 'mdx_samples', '--', join(folder, 'samples')]);
  run(['--package', 'meshwright-tools', '--bin', 'rewrite_mdx', '--', join(folder, 'samples'), join(folder, 'written')]);
  const { files, complaints } = judge(join(folder, 'written', 'mdx'), join(folder, 'samples'));
  assert.deepEqual(complaints, []);
  assert.ok(files >= 5);
});
