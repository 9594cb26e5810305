// `node textures.mjs TEXTURES SURVEY`: the pixels that our survey of a folder of textures has found, as `SURVEY/<number>.rgba` beside
// `SURVEY/table.tsv`, are those of other people's decoders: mdx-m3-viewer, war3-model, three.js and Pillow, which the Python in the
// environment variable PYTHON has to have. Alpha counts. Prints those on which no other decoder agrees; the last line is
// `N files, N agreed, N disputed, N read by us alone`. The exit code is 1 if one is disputed, or if we cannot read one.
// docs/textures.md explains the differences between decoders.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { TGALoader } from 'three/examples/jsm/loaders/TGALoader.js';
import * as war3Model from 'war3-model';

const require = createRequire(import.meta.url);
const viewer = (kind) => require(`mdx-m3-viewer/dist/cjs/parsers/${kind}/image.js`);

/** Decoders round colours of five and six bits, and those between two of them, in their own ways. */
const TOLERANCE = 2;

const [folder, survey] = process.argv.slice(2);
const rows = (await readFile(join(survey, 'table.tsv'), 'utf8')).trim().split('\n').slice(1).map((line) => line.split('\t'));

const pillow = join(survey, 'pillow');
const script = fileURLToPath(new URL('textures.py', import.meta.url));
const python = spawnSync(process.env.PYTHON ?? 'python3', [script, join(survey, 'table.tsv'), folder, pillow], { encoding: 'utf8' });
if (python.status !== 0) throw new Error(`textures.py failed: ${python.error ?? python.stderr}`);

/** An exact copy: some decoders look at the whole buffer behind an array. */
const buffer = (bytes) => Uint8Array.from(bytes).buffer;

/** Ways to get RGBA pixels of a file, by the names of the decoders. They throw or return nothing if they do not read it. */
const DECODERS = {
  'mdx-m3-viewer': (bytes, container) => {
    if (container.startsWith('Blp')) {
      const image = new (viewer('blp').BlpImage)();
      image.load(buffer(bytes));
      return image.getMipmap(0).data;
    }
    if (!['Dds', 'Tga'].includes(container)) return undefined;
    const image = new (container === 'Dds' ? viewer('dds').DdsImage : viewer('tga').default)();
    image.load(buffer(bytes));
    return container === 'Dds' ? image.getMipmap(0).data : image.data.data;
  },
  'war3-model': (bytes, container) => {
    if (!container.startsWith('Blp')) return undefined;
    return war3Model.getBLPImageData(war3Model.decodeBLP(buffer(bytes)), 0).data;
  },
  'three.js': (bytes, container) => (container === 'Tga' ? new TGALoader().parse(buffer(bytes)).data : undefined),
  Pillow: (_, __, number) => readFile(join(pillow, `${number}.rgba`)),
};

/** The largest difference of each channel, or nothing if they are not of one size. */
function difference(ours, theirs) {
  if (theirs?.length !== ours.length) return undefined;
  const most = [0, 0, 0, 0];
  for (let at = 0; at < ours.length; at += 1) most[at % 4] = Math.max(most[at % 4], Math.abs(ours[at] - theirs[at]));
  return most;
}

// Decoders talk, and mdx-m3-viewer wants a class of browsers.
const say = console.log;
console.log = console.warn = console.error = () => {};
globalThis.ImageData ??= class {
  constructor(width, height) {
    this.data = new Uint8ClampedArray(width * height * 4);
  }
};
let agreed = 0;
let disputed = 0;
let alone = 0;
let bad = 0;
for (const [number, container, encoding, , , , result, file] of rows) {
  const ours = await readFile(join(survey, `${number}.rgba`)).catch(() => undefined);
  if (!ours) {
    // The pixels of a BLP0 are in other files, which are not there.
    if (!/level 0/.test(result)) bad += 1;
    say(`${file}: we cannot read it: ${result}`);
    continue;
  }
  const bytes = await readFile(join(folder, file));
  const found = [];
  for (const [name, decode] of Object.entries(DECODERS)) {
    try {
      const most = difference(ours, await decode(bytes, container, number));
      if (most) found.push([name, most]);
    } catch {
      // It has no opinion.
    }
  }
  const differences = found.map(([name, most]) => `${name} ${most}`).join(', ');
  const isClose = ([, most]) => most.every((channel) => channel <= TOLERANCE);
  if (found.length === 0) {
    alone += 1;
    say(`${file} (${container} ${encoding}): no other decoder reads it`);
  } else if (found.some(isClose)) {
    agreed += 1;
    if (process.env.VERBOSE) say(`${file} (${container} ${encoding}): ${differences}`);
  } else {
    disputed += 1;
    say(`${file} (${container} ${encoding}): ${differences}`);
  }
}
say(`${rows.length} files, ${agreed} agreed, ${disputed} disputed, ${alone} read by us alone`);
process.exitCode = bad + disputed > 0 || rows.length === 0 ? 1 : 0;
