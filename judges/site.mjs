// The web site that `cargo xtask site` builds, opened from file:// in a headless Chromium without a network: its search finds chunks and tracks.
// The argument is the folder of the site; CHROMIUM the browser, if it is not on the PATH.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const site = process.argv[2];
const { CHROMIUM = 'chromium' } = process.env;
const profile = mkdtempSync(join(tmpdir(), 'meshwright-site-'));

/** A page as the browser has it after its scripts ran. */
const open = (page, hash = '') =>
  execFileSync(
    CHROMIUM,
    ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--virtual-time-budget=2000',
      '--host-resolver-rules=MAP * ~NOTFOUND', `--user-data-dir=${profile}`, '--dump-dom', `${pathToFileURL(join(site, page))}${hash}`],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 120_000, maxBuffer: 1 << 28 },
  );

/** The results of a search, best first. */
const search = (query, page = 'index.html') => {
  const dom = open(page, `#?q=${encodeURIComponent(query)}`);
  const [, results = ''] = dom.match(/<div id="found">(.*?)<\/div>/s) ?? [];
  return [...results.matchAll(/<a href="([^"]+)"[^>]*><b>([^<]*)<\/b>/g)].map(([, address, title]) => ({ address, title }));
};

try {
  const expected = [
    ['VERTEX_INFLUENCES', 'docs/formats/w3d/chunks.html#vertex_influences', 'index.html'],
    // From a page in a folder, addresses begin with the way up.
    ['kgrt', '../../../docs/formats/mdx/tracks.html#kgrt', 'docs/formats/w3d/skins.html'],
  ];
  for (const [query, address, page] of expected) {
    const [first] = search(query, page);
    assert.equal(first?.title.toLowerCase(), query.toLowerCase(), `the first result for ${query}`);
    assert.equal(first.address, address);
    const [file, anchor] = first.address.replaceAll('../', '').split('#');
    assert.ok(readFileSync(join(site, file), 'utf8').includes(`id="${anchor}"`), `${file} has no ${anchor}`);
  }
  assert.deepEqual(search('no-such-word-anywhere'), []);
  assert.ok(existsSync(join(site, 'api/meshwright/index.html')), 'rustdoc is part of the site');
  console.log('the search finds VERTEX_INFLUENCES and KGRT');
} finally {
  rmSync(profile, { recursive: true, force: true });
}
