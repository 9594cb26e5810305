// What we write from scenes, as others read it: `node authored.mjs FOLDER [SOURCES]`. Both readers have to read every MDX file of the folder, and
// mdx-m3-viewer's sanity test has to report nothing at level error or severe. With a second folder of the same names, what it reports there too is
// the source's own and allowed.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseMdxViewer, parseMdxWar3Model, sanityTest } from './peers.mjs';

/** Findings that are no fault of a writer. */
const ALLOWED = [
  [/^Missing "(Stand|Death)"/, 'only units need them'],
  [/^Using squirt without/, 'the source has no rate to animate'],
  [/^Version 900/, 'no game loads version 900'],
];

const BAD = ['error', 'severe'];

/** Versions that mdx-m3-viewer reads. */
const READ = [800, 1000];

/** What the sanity test says, with all numbers alike, so that two files can be compared. */
const findings = (bytes) => {
  const { messages } = sanityTest(parseMdxViewer(bytes));
  const alike = (text) => text.replace(/-?\d+(\.\d+)?/g, 'N');
  return messages.filter(({ type }) => BAD.includes(type)).map(({ type, path, message }) => ({ message, line: alike(`${type}: ${path}: ${message}`) }));
};

/** The same, or nothing where the peer cannot read the file. */
const findingsIfAny = (bytes) => {
  try {
    return findings(bytes);
  } catch {
    return [];
  }
};

/** Whether a model has collision shapes other than boxes and spheres, which war3-model does not know. */
const hasUncommonShapes = (bytes) => {
  try {
    return parseMdxViewer(bytes).collisionShapes.some(({ type }) => type !== 0 && type !== 2);
  } catch {
    return false;
  }
};

export function judge(folder, sources) {
  const complaints = [];
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.mdx'));
  for (const name of files) {
    const bytes = readFileSync(join(folder, name));
    const version = bytes.readUInt32LE(bytes.indexOf('VERS') + 8);
    for (const [reader, parse] of [['war3-model', parseMdxWar3Model], ['mdx-m3-viewer', parseMdxViewer]])
      try {
        parse(bytes);
      } catch (error) {
        if (reader === 'war3-model' && version === 1200 && /Incorrect light chunk/.test(error.message)) continue; // reads no shadow intensity
        if (reader === 'war3-model' && hasUncommonShapes(bytes)) continue;
        // mdx-m3-viewer reads 900 as 1000, and nothing after that.
        if (reader === 'war3-model' || READ.includes(version)) complaints.push(`${name}: ${reader} cannot read it: ${error.message}`);
      }
    if (!READ.includes(version)) continue;
    const source = sources && join(sources, name);
    const known = new Set(source && existsSync(source) ? findingsIfAny(readFileSync(source)).map(({ line }) => line) : []);
    // The limit is the classic game's.
    const isLarge = (message) => version >= 900 && /^Too many vertices/.test(message);
    const unknown = findingsIfAny(bytes).filter(({ message, line }) => !known.has(line) && !isLarge(message) && !ALLOWED.some(([pattern]) => pattern.test(message)));
    for (const line of new Set(unknown.map(({ line }) => line))) complaints.push(`${name}: ${line}`);
  }
  return { files: files.length, complaints };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, complaints } = judge(process.argv[2], process.argv[3]);
  for (const line of complaints) console.log(line);
  console.log(`${files} models written from scenes, ${complaints.length} complaints of other readers`);
  process.exitCode = files > 0 && complaints.length === 0 ? 0 : 1;
}
