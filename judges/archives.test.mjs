// What `pack` writes is read by others, and what is in their hands an archive is one in ours. MESHWRIGHT is the program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

import { readBig, readFolder, readMix, readMpq, readMpqStorm } from './archive_readers.mjs';

const { MESHWRIGHT } = process.env;

if (!MESHWRIGHT) {
  test('archives', { skip: 'MESHWRIGHT is not set' }, () => {});
} else {
  const out = mkdtempSync(join(tmpdir(), 'meshwright-archives-'));
  after(() => rmSync(out, { recursive: true }));
  const meshwright = (...words) => execFileSync(MESHWRIGHT, words, { encoding: 'utf8' });

  /** A folder with text, noise, an empty file and a file of several sectors. */
  const folder = (name, nested) => {
    const files = { 'Readme.txt': 'text '.repeat(2000), 'noise.bin': Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * 7919) % 251)), 'empty.ini': '' };
    if (nested) files['Art/W3D/Tank.ini'] = 'model '.repeat(5000);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(out, name, path)), { recursive: true });
      writeFileSync(join(out, name, path), content);
    }
    return join(out, name);
  };
  const tree = folder('tree', true);
  const flat = folder('flat', false);
  const kinds = [
    ['mod.big', tree, readBig, []],
    ['bfme.big', tree, readBig, ['--to', 'big4']],
    ['mod.mix', flat, readMix, []],
    ['map.w3x', tree, readMpq, []],
    ['storm.mpq', tree, readMpqStorm, []],
  ];
  for (const [name, source, reader, options] of kinds) {
    const archive = join(out, name);
    meshwright('pack', source, archive, ...options);
    const expected = readFolder(source);
    test(`${name} is read by a second reader`, (context) => {
      const members = reader(archive);
      if (!members) return context.skip('StormLib is not installed');
      members.delete('(listfile)');
      assert.deepEqual([...members.keys()].sort(), [...expected.keys()].sort());
      for (const [path, bytes] of expected) assert.ok(bytes.equals(members.get(path)), path);
    });
    test(`${name} is extracted as it was packed`, () => {
      meshwright('extract', archive, '--out-dir', join(out, `${name}-again`));
      const members = readFolder(join(out, `${name}-again`));
      members.delete('(listfile)');
      assert.deepEqual([...members.keys()].sort(), [...expected.keys()].sort());
      for (const [path, bytes] of expected) assert.ok(bytes.equals(members.get(path)), path);
    });
    test(`${name} is verified`, () => assert.match(meshwright('verify', archive), /1 archive/));
  }

  test('StormLib and mdx-m3-viewer read a map after a member was changed in place', () => {
    const map = join(out, 'edited.w3x');
    const source = join(out, 'models');
    mkdirSync(source, { recursive: true });
    meshwright('demo', join(out, 'demo'));
    writeFileSync(join(source, 'war3map.j'), 'function main takes nothing returns nothing\nendfunction\n'.repeat(100));
    writeFileSync(join(source, 'warcraft.mdx'), readFileSync(join(out, 'demo', 'warcraft.mdx')));
    meshwright('pack', source, map);
    meshwright('edit', 'scale', '2', `${map}/warcraft.mdx`, '--in-place');
    meshwright('edit', 'scale', '2', join(source, 'warcraft.mdx'), '--in-place');
    for (const reader of [readMpq, readMpqStorm]) {
      const members = reader(map);
      if (!members) continue;
      for (const [path, bytes] of readFolder(source)) assert.ok(bytes.equals(members.get(path)), path);
    }
  });
}
