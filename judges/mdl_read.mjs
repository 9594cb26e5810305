// MDL in the dialect `hive` as both war3-model and mdx-m3-viewer read it: `node mdl_read.mjs FOLDER`. Where a reader stops, the text has something
// that no spelling would make it read; these causes are listed here, as in the documentation of the dialect.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseMdlViewer, parseMdlWar3Model } from './peers.mjs';

/** What a reader stops at: the reader, its message, a pattern that the text has then, and why. */
export const EXCEPTIONS = [
  ['war3-model', /expected? ,|extected ,/, /^\tSkinWeights \d+ \{\n\t\t\d/m, 'wants rows of SkinWeights in braces, which mdx-m3-viewer and the game refuse'],
  ['war3-model', /PivotPoint/, /^PivotPoints /m, 'looks for a node for each pivot, but numbers are not in use or are those of a ParticleEmitter'],
  ['war3-model', /SyntaxError/, /^(Light|EventObject|CollisionShape|RibbonEmitter|ParticleEmitter|ParticleEmitterPopcorn) [^]*?^\tDontInherit /m, 'expects DontInherit in other nodes only'],
  ['war3-model', /expected number/, /EventTrack \d+ \{\s*GlobalSeqId/, 'reads no global sequence of an event'],
  ['war3-model', /SyntaxError/, /^RibbonEmitter [^]*?^\tColor \d+ \{/m, 'reads no animated colour of a ribbon'],
  ['war3-model', /mismatched faces/, /Faces 1 \d*(?:[1-9]|0) \{/, 'wants whole triangles'],
  ['mdx-m3-viewer', /Unknown token in Layer/, /ShaderTypeId|(Normal|ORM|Emissive|TeamColor|Reflections)TextureID/, 'has no words for texture slots and shaders of version 1100'],
];

const READERS = [['war3-model', parseMdlWar3Model], ['mdx-m3-viewer', parseMdlViewer]];

/** What stops the readers, for each text: `[name, reader, message, why]`; `why` is missing if the cause is none of those known. */
export function stops(texts) {
  const found = [];
  for (const [name, text] of texts)
    for (const [reader, parse] of READERS)
      try {
        parse(text);
      } catch (error) {
        const message = String(error.message ?? error);
        const row = EXCEPTIONS.find(([whose, says, has]) => whose === reader && says.test(message) && has.test(text));
        found.push([name, reader, message.slice(0, 80), row?.[3]]);
      }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readdirSync(process.argv[2], { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => join(entry.parentPath, entry.name)).map((path) => [basename(path), readFileSync(path, 'latin1')]);
  const version = (text) => Number(/FormatVersion (\d+)/.exec(text)?.[1] ?? 800);
  const later = texts.filter(([, text]) => version(text) > 800).length;
  const found = stops(texts);
  for (const [name, reader, message, why] of found) console.log(`${reader} stops at ${name}: ${why ?? `for no known reason: ${message}`}`);
  const read = READERS.map(([reader]) => `${reader} reads ${texts.length - found.filter(([, whose]) => whose === reader).length}`);
  console.log(`${texts.length} models, ${later} of them above version 800: ${read.join(', ')}`);
  process.exitCode = texts.length > 0 && found.every(([, , , why]) => why) ? 0 : 1;
}
