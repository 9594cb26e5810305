// `node validate.mjs FOLDER`: the Khronos validator over every .glb and .gltf below a folder. Prints what is wrong with each; the last line
// is `N files, N errors, N warnings`, and the exit code is 1 if there are errors.
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { validateGltf } from './peers.mjs';

/** How many messages are shown of each file. */
const SHOWN = 5;

const folder = process.argv[2];
const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(glb|gltf)$/.test(name)).sort();
let errors = 0;
let warnings = 0;
for (const name of names) {
  const file = join(folder, name);
  const { issues } = await validateGltf(await readFile(file), (uri) => readFile(join(dirname(file), decodeURIComponent(uri))));
  errors += issues.numErrors;
  warnings += issues.numWarnings;
  const bad = issues.messages.filter(({ severity }) => severity < 2);
  for (const { severity, code, message, pointer } of bad.slice(0, SHOWN)) {
    console.log(`${name}: ${severity === 0 ? 'error' : 'warning'} ${code} at ${pointer}: ${message}`);
  }
}
console.log(`${names.length} files, ${errors} errors, ${warnings} warnings`);
process.exitCode = errors > 0 || names.length === 0 ? 1 : 0;
