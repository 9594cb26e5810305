// Our samples, written from their scenes, as other readers see them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { judge } from './authored.mjs';
import { runTool } from './tools.mjs';

test('what is written from scenes is sound to other readers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshwright-authored-'));
  after(() => rmSync(folder, { recursive: true }));
  runTool('mdx_samples', [join(folder, 'samples')]);
  runTool('rewrite_mdx', [join(folder, 'samples'), join(folder, 'written')]);
  const { files, complaints } = judge(join(folder, 'written', 'mdx'), join(folder, 'samples'));
  assert.deepEqual(complaints, []);
  assert.ok(files >= 5);
});
