// `node motion.mjs FOLDER`: every .glb with a .json of positions beside it moves to three.js as it does to us. Prints those that stray;
// the last line is `N files, N stray, at most S of their size`, and the exit code is 1 if any strays.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { compare } from './evaluate.mjs';

/** Of the size of the model. */
const TOLERANCE = 1e-3;

const folder = process.argv[2];
const names = (await readdir(folder)).filter((name) => name.endsWith('.glb')).sort();
let stray = 0;
let most = 0;
for (const name of names) {
  const glb = await readFile(join(folder, name));
  const worst = await compare(glb, JSON.parse(await readFile(join(folder, name.replace(/\.glb$/, '.json')))));
  most = Math.max(most, worst.share);
  if (!(worst.share <= TOLERANCE)) {
    stray += 1;
    console.log(`${name}: ${JSON.stringify(worst)}`);
  }
}
console.log(`${names.length} files, ${stray} stray, at most ${most.toExponential(1)} of their size`);
process.exitCode = stray > 0 || names.length === 0 ? 1 : 0;
