// Pictures of models and of what they become in the other family, side by side, for people to look at:
//
//   node judges/across.mjs OUT_DIR --meshwright PROGRAM [--textures DIR]... [--version N] [--profile GAME] FOLDER...
//
// Converts every W3D and MDX model below the folders to the other family, and draws both with the same camera angles, clip and time: the
// first, middle and last clip, each at two fifths of its length. `NAME.CLIP.png` has the source on the left and the result on the right;
// `sheet-N.png` has many of them, and `list.txt` says which. The last line is `N models, N pictures, N look different`: those are listed,
// with the share of pixels that differ by more than an edge. Different is not wrong: some blend modes have no equal in the other family.
// No picture of other people's models goes into the repository.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { decodePng, differing, encodePng, paste } from './png.mjs';

const { values: options, positionals: [out, ...folders] } = parseArgs({
  allowPositionals: true,
  options: {
    meshwright: { type: 'string', default: 'meshwright' },
    textures: { type: 'string', multiple: true, default: [] },
    version: { type: 'string', default: '1000' },
    profile: { type: 'string', default: 'tt5' },
  },
});
if (!out || folders.length === 0) {
  console.error('usage: node judges/across.mjs OUT_DIR --meshwright PROGRAM [--textures DIR]... [--version N] [--profile GAME] FOLDER...');
  process.exit(2);
}

const SIZE = 240;
/** Pairs on a sheet. */
const COLUMNS = 4;
const ROWS = 5;
/** A colour that differs by more than this, out of 255, is another colour. */
const TOLERANCE = 32;
/** Pictures with a larger share of such pixels are listed. */
const MOST = 0.01;

const run = (...words) => execFileSync(options.meshwright, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
const clipsOf = (file) => JSON.parse(run('info', '--json', file)).files[0].clips;

function filesBelow(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

/** The family of a file by its name: `tank.W3D~fd8ca6a3` is W3D. */
const familyOf = (file) => /\.(w3d|mdx)(~[0-9a-f]+)?$/i.exec(file)?.[1].toLowerCase();

/** Copies the files of a folder under names that every command understands. */
function staged(folder, to) {
  return filesBelow(folder).filter(familyOf).map((file) => {
    const family = familyOf(file);
    const [, stem, , suffix = ''] = /^(.*)\.(w3d|mdx)(~[0-9a-f]+)?$/i.exec(basename(file));
    const copy = join(to, relative(folder, dirname(file)), `${stem}${suffix}.${family}`);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
    return copy;
  });
}

function draw(model, clip, time, to) {
  const moment = clip === undefined ? ['--clip', 'none'] : ['--clip', clip, '--time', String(time)];
  const look = ['--size', String(SIZE), '--camera', '-50,20', '--light', 'viewer', '--no-particles', '--json'];
  const told = JSON.parse(run('render', model, to, ...look, ...search, ...moment)).files[0];
  return { ...decodePng(readFileSync(to)), camera: told.camera };
}

/** The clips to look at: pairs of names in the source and the result, with a time. Clips that the result has in addition come last. */
function moments(model, result) {
  const isMdx = model.endsWith('.mdx');
  const [sources, results] = [isMdx ? clipsOf(model) : [], clipsOf(result)];
  const pairs = isMdx
    ? sources.map((clip, at) => [clip.name, results[at]?.name, clip.seconds])
    : results.filter(({ name }) => !['Stand', 'Death'].includes(name)).map((clip) => [clip.name, clip.name, clip.seconds]);
  if (pairs.length === 0) return [[undefined, isMdx ? undefined : results[0]?.name, 0]];
  return [...new Set([0, Math.floor(pairs.length / 2), pairs.length - 1])].map((at) => {
    const [source, target, duration] = pairs[at];
    // On a frame of W3D, so that nothing lies between two keys.
    return [source, target, Math.floor(duration * 0.4 * 30) / 30];
  });
}

rmSync(out, { recursive: true, force: true });
const scratch = join(out, 'files');
const models = folders.flatMap((folder, at) => staged(folder, join(scratch, String(at))));
// The game's own texture, which models without textures refer to.
const [white, own] = [join(out, 'own', 'white.png'), join(out, 'own', 'Textures', 'white.blp')];
mkdirSync(dirname(own), { recursive: true });
writeFileSync(white, encodePng({ width: 4, height: 4, pixels: Buffer.alloc(64, 255) }));
run('convert', white, own, '--quiet');
const search = [join(out, 'own'), ...options.textures].flatMap((folder) => ['--textures', folder]);
const pairs = [];
const lines = [];
let different = 0;
for (const model of models) {
  const name = relative(scratch, model).replaceAll('/', '_');
  const isMdx = model.endsWith('.mdx');
  // Each with its textures in a folder of its own.
  const result = join(out, 'converted', name, `result.${isMdx ? 'w3d' : 'mdx'}`);
  const how = isMdx ? ['--profile', options.profile] : ['--to-version', options.version];
  try {
    run('convert', model, result, '--quiet', '--write-textures', ...how, ...search);
    moments(model, result).forEach(([clip, twin, time], at) => {
      const [left, right] = [[model, clip], [result, twin]].map(([file, clip], side) => draw(file, clip, time, join(out, `side-${side}.png`)));
      const both = paste([[left, 0, 0], [right, SIZE, 0]], SIZE * 2, SIZE);
      writeFileSync(join(out, `${name}.${at}.png`), encodePng(both));
      const { share } = differing(left, right, TOLERANCE);
      const line = `sheet ${Math.floor(pairs.length / COLUMNS / ROWS)}, ${pairs.length % (COLUMNS * ROWS)}: ${name}, ${clip ?? 'rest pose'} at ${time.toFixed(3)}: ${(share * 100).toFixed(1)} %`;
      lines.push(line);
      pairs.push(both);
      if (share > MOST) {
        different += 1;
        console.log(line);
      }
    });
  } catch (error) {
    console.log(`${name}: ${String(error.stderr || error).trim()}`);
    lines.push(`${name}: not drawn`);
  }
}
for (let at = 0; at * COLUMNS * ROWS < pairs.length; at += 1) {
  const some = pairs.slice(at * COLUMNS * ROWS, (at + 1) * COLUMNS * ROWS);
  const placed = some.map((pair, place) => [pair, (place % COLUMNS) * (SIZE * 2 + 4), Math.floor(place / COLUMNS) * (SIZE + 4)]);
  writeFileSync(join(out, `sheet-${at}.png`), encodePng(paste(placed, COLUMNS * (SIZE * 2 + 4), ROWS * (SIZE + 4))));
}
writeFileSync(join(out, 'list.txt'), `${lines.join('\n')}\n`);
console.log(`${models.length} models, ${pairs.length} pictures, ${different} look different`);
