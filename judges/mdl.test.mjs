// Our MDX and MDL as war3-model and mdx-m3-viewer read them: what a peer makes of the text must be what it makes of the
// binary, and both must be what our JSON form says. Where a peer is wrong, the difference is listed with the reason, and
// the list is checked too: a difference that has gone must leave it.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { said, viewerAgrees, war3ModelAgrees } from './agree.mjs';
import { stops } from './mdl_read.mjs';
import { parseMdlViewer, parseMdlWar3Model, parseMdxViewer, parseMdxWar3Model, sanityTest } from './peers.mjs';
import { runTool } from './tools.mjs';

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'meshwright-mdl-'));
  runTool('mdx_samples', [folder]);
});
after(() => rmSync(folder, { recursive: true }));

const mdx = (version) => readFileSync(join(folder, `warcraft-${version}.mdx`));
const mdl = (version, dialect) => readFileSync(join(folder, `warcraft-${version}.${dialect}.mdl`), 'latin1');
const json = (version) => JSON.parse(readFileSync(join(folder, `warcraft-${version}.json`), 'utf8'));

/** Typed arrays and maps as plain ones. */
function plain(value) {
  if (value === null || typeof value !== 'object') return value;
  if (ArrayBuffer.isView(value)) return Array.from(value);
  if (Array.isArray(value)) return Array.from(value, plain); // holes become undefined
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** What is left out means the same as nothing, zero and no text. */
const isNothing = (value) => value === undefined || value === null || value === 0 || value === '' || value === false;

function differences(one, other, path = '', found = []) {
  if (isNothing(one) && isNothing(other)) return found;
  if (typeof one === 'number' && typeof other === 'number') {
    if (!Object.is(one, other)) found.push(path);
  } else if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') {
    if (one !== other) found.push(path);
  } else {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      differences(one[key], other[key], path ? `${path}.${key}` : key, found);
  }
  return found;
}

/** The differences must be exactly those that are known, each of which must occur. */
function onlyKnown(found, known, where) {
  const used = new Set();
  for (const path of found) {
    const row = known.find(([pattern]) => pattern.test(path));
    assert.ok(row, `${where}: ${path} differs`);
    used.add(row);
  }
  for (const row of known) if (!row[2]?.optional) assert.ok(used.has(row), `${where}: the peer no longer differs: ${row[1]}`);
}

const later = { optional: true }; // only in samples of later versions

const war3ModelDiffers = [
  [/^Info\.Num/, 'keeps the counts of the text'],
  [/^(Geosets\.\d+\.Anims\.\d+)\.Alpha$/, 'invents an alpha for the bounds of a sequence'],
  [/^Geosets\.\d+\.VertexGroup/, 'fills in vertex groups that an HD geoset has not', later],
  [/^GeosetAnims\.\d+\.Flags$/, 'does not set the colour flag for an animated colour'],
  [/^GeosetAnims\.\d+\.Color\.Keys/, 'turns animated colours round in text, as nobody else does'],
  [/Lights\.\d+\.(Amb)?Color\.Keys|Nodes\.\d+\.(Amb)?Color\.Keys/, 'turns animated colours round in text, as nobody else does', later],
  [/^ParticleEmitters\.\d+\.Flags$/, 'does not set the type of an emitter in text'],
  [/^(ParticleEmitters2|Nodes)\.\d+\.(Width|Length)/, 'takes length and width of an emitter the wrong way round in MDX'],
  [/^Nodes\.5/, 'forgets particle emitters among the nodes of a text'],
  [/PivotPoint/, 'fails on pivots after that, so they are taken out'],
  [/^(ParticleEmitterPopcorns|Nodes)\.\d+\.(Flags|EmissionRate)/, 'has no defaults for popcorn emitters in text', later],
];

const viewerDiffers = [
  [/^particleEmitters2\.\d+\.flags$/, 'does not set the type of an emitter in text'],
  [/^particleEmitters2\.\d+\.(width|length)$/, 'takes length and width of an emitter the wrong way round in MDX (so KP2N and KP2W)'],
  [/^particleEmitters2\.\d+\.animations/, 'the same for the tracks KP2N and KP2W', later],
  [/^particleEmittersPopcorn\.\d+\.(flags|emissionRate)$/, 'has no defaults for popcorn emitters in text', later],
];

/** war3-model forgets classic particle emitters among the nodes of a text, and then fails on the pivots. */
const withoutPivots = (text) => text.replace(/^PivotPoints [^}]*(?:\}[^}]*)*?^\}\n/m, '');

test('war3-model reads our MDL as it reads our MDX', () => {
  for (const version of [800, 900, 1000, 1100]) {
    const model = plain(parseMdxWar3Model(mdx(version)));
    // Bare rows of SkinWeights and slots with `<=` it does not know.
    for (const dialect of version === 800 ? ['game', 'hive', 'war3-model'] : ['war3-model']) {
      assert.throws(() => parseMdlWar3Model(mdl(version, dialect)), /PivotPoint/);
      const text = plain(parseMdlWar3Model(withoutPivots(mdl(version, dialect))));
      onlyKnown(differences(model, text), war3ModelDiffers, `${version} ${dialect}`);
    }
    if (version > 800)
      for (const dialect of ['game', 'hive']) assert.throws(() => parseMdlWar3Model(withoutPivots(mdl(version, dialect))), /SyntaxError/);
  }
  assert.throws(() => parseMdxWar3Model(mdx(1200)), /light chunk/, 'war3-model now knows the lights of version 1200');
});

test('mdx-m3-viewer reads our MDL as it reads our MDX', () => {
  for (const version of [800, 1000]) {
    const model = plain(parseMdxViewer(mdx(version)));
    for (const dialect of ['game', 'hive']) {
      const text = plain(parseMdlViewer(mdl(version, dialect)));
      onlyKnown(differences(model, text), viewerDiffers, `${version} ${dialect}`);
    }
  }
  // It wants bare rows of SkinWeights, takes every version above 800 to have fresnel, and knows no texture slots.
  assert.throws(() => parseMdlViewer(mdl(1000, 'war3-model')), /Geoset/);
  assert.throws(() => parseMdxViewer(mdx(900)));
  assert.throws(() => parseMdxViewer(mdx(1100)));
});

test('the dialect hive stops neither reader but for known reasons', () => {
  const found = stops([800, 900, 1000, 1100, 1200].map((version) => [`${version}`, withoutPivots(mdl(version, 'hive'))]));
  const reasons = (reader) => found.filter(([, whose]) => whose === reader).map(([version, , , why]) => `${version}: ${why ?? 'unknown'}`);
  assert.deepEqual(reasons('war3-model').filter((reason) => !/rows of SkinWeights/.test(reason)), []);
  assert.deepEqual(reasons('mdx-m3-viewer').filter((reason) => !/^1[12]00: has no words for texture slots/.test(reason)), []);
  assert.ok(!found.some(([version]) => version === '800'));
});

test('mdx-m3-viewer finds in our MDX what our JSON says', () => {
  for (const version of [800, 1000]) viewerAgrees(mdx(version), said(json(version)));
});

test('war3-model finds in our MDX what our JSON says', () => {
  for (const version of [800, 900, 1000, 1100]) war3ModelAgrees(mdx(version), said(json(version)));
});

test('both read what the builders make, and find nothing wrong with it', () => {
  const built = (version) => readFileSync(join(folder, `built-${version}.mdx`));
  for (const version of [800, 900, 1000, 1100, 1200]) {
    const model = parseMdxWar3Model(built(version));
    assert.deepEqual(model.Geosets[0].Groups, [[0], [0, 1]], `${version}`);
    assert.equal(model.Textures[0].Image, 'Textures\\wood.blp');
    assert.deepEqual(Array.from(model.Geosets[0].VertexGroup), [0, 1, 1, 0]);
  }
  for (const version of [800, 1000]) {
    const model = parseMdxViewer(built(version));
    assert.deepEqual(Array.from(model.geosets[0].faces), [0, 1, 2, 0, 2, 3]);
    assert.deepEqual(sanityTest(model).messages, [], `${version}`);
  }
});
