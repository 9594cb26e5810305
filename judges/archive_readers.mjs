// Second readers of archives: our own small ones for BIG and MIX, written from the layout alone, and those of others for MPQ:
// mdx-m3-viewer, and StormLib where it is installed. Each takes the path of an archive and returns a map from the path of a member, in
// lower case with slashes, to its bytes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** One spelling for a path. */
export const key = (path) => path.replaceAll('\\', '/').toLowerCase();

/** BIG: magic, size (little-endian), count, first offset; then offset, size and name of each member (big-endian). */
export function readBig(path) {
  const file = readFileSync(path);
  const members = new Map();
  let at = 16;
  for (let left = file.readUInt32BE(8); left > 0; left -= 1) {
    const [offset, size] = [file.readUInt32BE(at), file.readUInt32BE(at + 4)];
    const end = file.indexOf(0, at + 8);
    members.set(key(file.toString('latin1', at + 8, end)), file.subarray(offset, offset + size));
    at = end + 1;
  }
  return members;
}

/** The CRC-32 of an upper-cased name, bit by bit. */
function crc32(name) {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(name.toUpperCase(), 'latin1')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** MIX: where the index and the names are; the index has number, offset and size of each member. */
export function readMix(path) {
  const file = readFileSync(path);
  const [index, names] = [file.readUInt32LE(4), file.readUInt32LE(8)];
  const ranges = new Map();
  let last = -1;
  for (let at = 0; at < file.readUInt32LE(index); at += 1) {
    const row = index + 4 + at * 12;
    const number = file.readUInt32LE(row);
    if (number <= last) throw new Error('the index is not sorted: the game would not find its members');
    last = number;
    ranges.set(number, [file.readUInt32LE(row + 4), file.readUInt32LE(row + 8)]);
  }
  const members = new Map();
  let at = names + 4;
  for (let left = file.readUInt32LE(names); left > 0; left -= 1) {
    const name = file.toString('latin1', at + 1, at + file[at]);
    const [offset, size] = ranges.get(crc32(name));
    members.set(key(name), file.subarray(offset, offset + size));
    at += 1 + file[at];
  }
  return members;
}

/** MPQ, as mdx-m3-viewer reads it. Members that it cannot unpack are missing. */
export function readMpq(path) {
  const { default: MpqArchive } = require('mdx-m3-viewer/dist/cjs/parsers/mpq/archive.js');
  const archive = new MpqArchive();
  archive.load(Uint8Array.from(readFileSync(path)), true);
  const members = new Map();
  for (const name of archive.getFileNames()) {
    const bytes = archive.get(name)?.bytes();
    if (bytes) members.set(key(name), Buffer.from(bytes));
  }
  return members;
}

/** MPQ, as StormLib reads it; nothing if it is not installed. */
export function readMpqStorm(path) {
  const folder = mkdtempSync(join(tmpdir(), 'meshwright-storm-'));
  try {
    const script = fileURLToPath(new URL('storm.py', import.meta.url));
    const { status, stdout, stderr } = spawnSync('python3', [script, path, folder], { encoding: 'utf8' });
    if (status === 3 || status === null) return undefined;
    if (status !== 0) throw new Error(`StormLib: ${stderr || stdout}`);
    const names = stdout.split('\n').filter(Boolean);
    return new Map(names.map((name, at) => [key(name), readFileSync(join(folder, `${at}`))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every file below a folder. */
export function readFolder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return new Map(paths.map((path) => [key(relative(folder, path)), readFileSync(path)]));
}
