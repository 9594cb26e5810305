// Our linter against mdx-m3-viewer's: everything that it finds we find too, or the difference is named here with the reason.
// As a program: `node lint.mjs FINDINGS.json`, with the output of `findings` in `xtask/tools`.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseMdxViewer, sanityTest } from './peers.mjs';

/** What the peer says, and the codes of which one has to be among ours. */
const SAME = [
  [/^Unknown version|^Version 900/, ['MDX-MODEL-001']],
  [/^The animation file should/, ['MDX-MODEL-004']],
  [/^No sequences/, ['MDX-SEQ-001']],
  [/^Missing "Stand"/, ['MDX-SEQ-002']],
  [/^Missing "Death"/, ['MDX-SEQ-003']],
  [/^This sequence starts/, ['MDX-SEQ-004']],
  [/is not a standard name$/, ['MDX-SEQ-005']],
  [/^(Zero|Negative) length/, ['MDX-SEQ-006', 'MDX-SEQ-007']],
  [/^Negative extents/, ['MDX-MODEL-005', 'MDX-MODEL-011']],
  [/^No textures/, ['MDX-TEX-001']],
  [/^Corrupted path/, ['MDX-TEX-002']],
  [/^Unknown replaceable ID/, ['MDX-TEX-003']],
  [/used together$/, ['MDX-TEX-004']],
  [/^No layers/, ['MDX-MAT-001']],
  [/^Unknown shader/, ['MDX-MAT-002']],
  [/^Invalid filter mode/, ['MDX-MAT-003', 'MDX-PRE2-002']],
  [/^Invalid texture animation/, ['MDX-MAT-005']],
  [/^Invalid texture /, ['MDX-MAT-004', 'MDX-PRE2-001', 'MDX-TEX-001']],
  [/^Invalid material/, ['MDX-GEO-001', 'MDX-RIBB-001', 'MDX-MAT-009']],
  [/^Invalid geoset animation/, ['MDX-NODE-006']],
  [/^Invalid geoset /, ['MDX-GEOA-001', 'MDX-NODE-006']],
  [/^Invalid global sequence/, ['MDX-TRACK-001']],
  [/^Too many vertices/, ['MDX-GEO-002']],
  [/^Referenced by \d+ geoset animations/, ['MDX-GEOA-003']],
  [/^Zero faces/, ['MDX-GEO-003']],
  [/^Number of sequence extents/, ['MDX-GEO-004']],
  [/the geoset may be invisible$/, ['MDX-GEOA-002']],
  [/^There are no vertices attached/, ['MDX-SKIN-010']],
  [/^Vertex \d+: Attached to object \d+ which does not exist/, ['MDX-SKIN-005']],
  [/^Vertex \d+: Attached to ".*" which is not a bone/, ['MDX-SKIN-006']],
  [/^Vertex \d+: (Not attached|Attached to vertex group)/, ['MDX-SKIN-004', 'MDX-SKIN-007']],
  [/^Vertex \d+: The weights/, ['MDX-SKIN-007']],
  [/^This geoset has both skin/, ['MDX-SKIN-008']],
  [/attenuation should/, ['MDX-LITE-001']],
  [/^Missing the Origin/, ['MDX-ATCH-002']],
  [/^Invalid path/, ['MDX-ATCH-001', 'MDX-PREM-001']],
  [/^Expected \d+ pivot points/, ['MDX-NODE-005']],
  [/^Invalid parent|^Same object and parent/, ['MDX-NODE-003']],
  [/^Expected \d+ matrices/, ['MDX-NODE-008']],
  [/^Invalid replaceable ID/, ['MDX-PRE2-002']],
  [/^XY Quad/, ['MDX-PRE2-003']],
  [/^Expected time middle/, ['MDX-PRE2-004']],
  [/^Using squirt/, ['MDX-PRE2-005']],
  [/^No animation visibility guide/, ['MDX-CORN-001']],
  [/^Corrupted face effect path/, ['MDX-FAFX-001']],
  [/^Zero tracks/, ['MDX-TRACK-002', 'MDX-EVTS-001']],
  [/but the model has no sequences$/, ['MDX-TRACK-003']],
  [/has a negative frame/, ['MDX-TRACK-004']],
  [/has the same frame/, ['MDX-TRACK-005', 'MDX-EVTS-003']],
  [/is lower than the track before/, ['MDX-TRACK-006', 'MDX-EVTS-003']],
  [/^Missing opening track/, ['MDX-TRACK-007']],
  [/^Using a (variation|gravity) animation/, ['MDX-TRACK-008']],
  [/^Interpolation type not set to None/, ['MDX-TRACK-009']],
  [/is not in (any|global) sequence/, ['MDX-TRACK-010']],
  [/the same value as tracks/, ['MDX-TRACK-011', 'MDX-TRACK-014']],
  [/^Not used: (Texture|Material|TextureAnimation|GlobalSequence) /, ['MDX-MAT-008']],
  [/^Not used: Geoset /, ['MDX-GEO-003']],
];

/** Where the peer is wrong: message, why, and for which models if not for all. */
const WRONG = [
  [/^Expected \d+ matrices/, 'bind poses are one per node and one per camera (61 of 61 real files); the peer always expects one camera'],
  [/^Missing "Stand"/, 'only units need it: portraits, effects and doodads of the game itself have none'],
  [/^No textures/, 'a model without layers and particle emitters needs none'],
  [/^Missing the Origin/, 'case does not count: the great hall of the game has "origin ref"', ({ attachments }) => attachments.some(({ name }) => /^origin ref/i.test(name))],
  [/^Unknown version: (1100|1200)/, 'versions of Warcraft III 2.0, newer than the peer'],
];

/** Versions that the peer reads; of others it may read some. */
const READ = [800, 1000];

/** Damaged files that it cannot read, and so says nothing about: counts beyond the file, sizes that leave tracks out, bytes changed by a
 * transfer as text, and the fixtures of
 * rules about such. */
const UNREADABLE = /(overflow|LibertyEdited2|LibertyMiddleless|nwdg32|MDX-(FILE|FRAME|PART)-\d+\.bad|MDX-(CLID-002|GEO-015|TRACK-012)\.bad)/;

const versionOf = (bytes) => bytes.readUInt32LE(bytes.indexOf('VERS') + 8);

/** Compares the findings of both linters, file by file: how many of the peer's there are, those that we lack, and the codes that only we have. */
export function compare(files) {
  let compared = 0;
  const missed = new Map();
  const known = new Set(SAME.flatMap(([, codes]) => codes));
  const extra = new Set(files.flatMap(({ findings }) => findings.map(({ code }) => code)).filter((code) => !known.has(code)));
  for (const { path, findings } of files) {
    const bytes = readFileSync(path);
    let model;
    try {
      model = parseMdxViewer(bytes);
    } catch (error) {
      if (READ.includes(versionOf(bytes)) && !UNREADABLE.test(path)) missed.set(`${basename(path)}: the peer cannot read it: ${error.message}`, 1);
      continue;
    }
    const codes = new Set(findings.map(({ code }) => code));
    for (const { message } of sanityTest(model).messages) {
      compared += 1;
      const same = SAME.find(([pattern]) => pattern.test(message));
      if (same && same[1].some((code) => codes.has(code))) continue;
      if (WRONG.some(([pattern, , applies]) => pattern.test(message) && (applies?.(model) ?? true))) continue;
      const key = `${basename(path)}: ${same ? same[1].join(' or ') : 'no rule'}: ${message.replace(/\d+/g, 'N')}`;
      missed.set(key, (missed.get(key) ?? 0) + 1);
    }
  }
  return { compared, missed: [...missed].map(([what, count]) => `${count} x ${what}`), extra: [...extra].sort() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files } = JSON.parse(readFileSync(process.argv[2]));
  const { compared, missed, extra } = compare(files);
  for (const line of missed) console.log(line);
  console.log(`only ours, docs/rules.md says whose they are: ${extra.join(' ')}`);
  console.log(`${files.length} models, ${compared} findings of mdx-m3-viewer, ${missed.length} that we lack`);
  process.exitCode = compared > 0 && missed.length === 0 ? 0 : 1;
}
