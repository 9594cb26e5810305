// `node archives.mjs FOLDER`: every archive below a folder is read completely, and its members are those that second readers find.
// MESHWRIGHT is the program. Unnamed members are compared by content. The last line is `N archives, N members, N agreed, N differ`;
// the exit code is 1 if one differs or cannot be read.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readBig, readFolder, readMix, readMpq, readMpqStorm } from './archive_readers.mjs';

const READERS = [
  [/\.big(~|$)/i, [readBig]],
  [/\.(mix|dat|dbs|pkg)(~|$)/i, [readMix]],
  [/\.(mpq|w3[xmn])(~|$)/i, [readMpqStorm, readMpq]],
];
const { MESHWRIGHT } = process.env;
const [folder] = process.argv.slice(2);
const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const out = mkdtempSync(join(tmpdir(), 'meshwright-archives-'));
let [archives, members, agreed, differ] = [0, 0, 0, 0];
for (const entry of entries) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const readers = READERS.find(([name]) => name.test(entry.name))?.[1];
  if (!readers) continue;
  archives += 1;
  const target = join(out, `${archives}`);
  let ours;
  try {
    execFileSync(MESHWRIGHT, ['verify', path], { encoding: 'utf8' });
    execFileSync(MESHWRIGHT, ['extract', '--quiet', path, '--out-dir', target]);
    ours = readFolder(target);
  } catch (error) {
    differ += 1;
    console.log(`${path}: ${error.stderr ?? error}${error.stdout ?? ''}`);
    continue;
  }
  members += ours.size;
  const contents = new Set([...ours.values()].map((bytes) => bytes.toString('latin1')));
  let judged = false;
  let same = true;
  for (const reader of readers) {
    let theirs;
    try {
      theirs = reader(path);
    } catch (error) {
      // A protected map that only we open.
      console.log(`${path}: not read by ${reader.name}: ${error.message}`);
    }
    if (!theirs) continue;
    judged = true;
    // mdx-m3-viewer makes a list of its own where it cannot read the one that is there.
    if (reader === readMpq) theirs.delete('(listfile)');
    for (const [name, bytes] of theirs) {
      const isUnnamed = /^file\d{8}/.test(name);
      const found = isUnnamed ? contents.has(bytes.toString('latin1')) : ours.get(name)?.equals(bytes);
      if (!found) {
        same = false;
        console.log(`${path}: ${name} differs from what ${reader.name} finds`);
      }
    }
    if (reader !== readMpq && theirs.size !== ours.size) {
      same = false;
      console.log(`${path}: ${ours.size} members, but ${reader.name} finds ${theirs.size}`);
    }
  }
  if (!judged) console.log(`${path}: read by us alone`);
  if (judged && same) agreed += 1;
  if (!same) differ += 1;
}
rmSync(out, { recursive: true });
console.log(`${archives} archives, ${members} members, ${agreed} agreed, ${differ} differ`);
process.exitCode = differ === 0 ? 0 : 1;
