// Other people's readers accept models that were edited in Blender, and find no more wrong with them than with the originals.
//
//     node edited.mjs FOLDER
//
// FOLDER has `NAME.original.mdx` and `NAME.KIND.mdx`, as edits.py writes them.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { parseMdxViewer, parseMdxWar3Model, sanityTest } from './peers.mjs';

const folder = process.argv[2];
const names = readdirSync(folder).filter((name) => name.toLowerCase().endsWith('.mdx'));
const read = (name) => readFileSync(join(folder, name));

/** What both readers say about a model. */
function judged(name) {
  const bytes = read(name);
  const counted = parseMdxWar3Model(bytes).Geosets.length;
  const model = parseMdxViewer(bytes);
  if (model.geosets.length !== counted) throw new Error(`${counted} and ${model.geosets.length} geosets`);
  const { errors, severe, messages } = sanityTest(model);
  return { errors, severe, messages };
}

let [count, failed] = [0, 0];
for (const name of names.filter((name) => !name.includes('.original.'))) {
  const original = `${name.split('.')[0]}.original.mdx`;
  if (!names.includes(original)) continue;
  let before;
  try {
    before = judged(original);
  } catch {
    // They cannot read the original either.
    continue;
  }
  count += 1;
  try {
    const after = judged(name);
    if (after.errors > before.errors || after.severe > before.severe) {
      const known = new Set(before.messages.map(({ message }) => message));
      const fresh = after.messages.filter(({ type, message }) => type !== 'warning' && !known.has(message));
      throw new Error(fresh.slice(0, 3).map(({ path, message }) => `${path}: ${message}`).join('; '));
    }
  } catch (error) {
    failed += 1;
    console.log(`${name}: ${error.message}`);
  }
}
console.log(`${count} edited models, ${failed} rejected by other readers`);
process.exit(failed > 0 || count === 0 ? 1 : 0);
