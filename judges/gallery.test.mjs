// The page that `meshwright gallery` makes, opened from file:// in a headless Chromium without a network: it lists the models, finds
// and filters them, and its pictures move under the mouse. MESHWRIGHT is the program; CHROMIUM the browser, if it is not on the PATH.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { MESHWRIGHT, CHROMIUM = 'chromium' } = process.env;
const hasBrowser = spawnSync(CHROMIUM, ['--version']).status === 0;

if (!MESHWRIGHT || !hasBrowser) {
  const skip = process.env.CI !== 'true' && 'MESHWRIGHT is not set, or there is no chromium';
  test('the gallery', { skip }, () => assert.fail('the gallery needs MESHWRIGHT and a chromium'));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'meshwright-gallery-'));
  after(() => rmSync(folder, { recursive: true }));
  const [models, site] = [join(folder, 'models'), join(folder, 'site')];
  execFileSync(MESHWRIGHT, ['demo', models], { stdio: 'ignore' });
  const gallery = () =>
    spawnSync(MESHWRIGHT, ['gallery', models, '-o', site, '--size', '48', '--frames', '8', '--title', 'A <b>mod</b>'], { encoding: 'utf8' });
  const first = gallery();

  /** The page as the browser has it after its scripts ran, with a script of ours at its end. */
  const open = (page, hash = '', script = '') => {
    const copy = page.replace('.html', '.test.html');
    writeFileSync(join(site, copy), readFileSync(join(site, page), 'utf8').replace('</body>', `<script>{${script}}</script></body>`));
    const url = `${pathToFileURL(join(site, copy))}${hash}`;
    const dom = execFileSync(
      CHROMIUM,
      ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--virtual-time-budget=4000',
        '--host-resolver-rules=MAP * ~NOTFOUND', `--user-data-dir=${join(folder, 'profile')}`, '--dump-dom', url],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 120_000 },
    );
    rmSync(join(site, copy));
    return dom;
  };
  const cards = (dom) => [...dom.matchAll(/<a class="card" href="([^"]+)" title="([^"]+)"/g)].map(([, page, path]) => ({ page, path }));

  test('every model has a card, a picture and a page', () => {
    assert.match(first.stderr + first.stdout, /models, \d+ drawn, 0 unchanged/);
    const dom = open('index.html');
    const shown = cards(dom);
    const sources = readdirSync(models).filter((name) => /\.(w3d|mdx|mdl|json)$/.test(name));
    assert.ok(shown.length >= 4 && shown.length <= sources.length, dom.slice(-2000));
    assert.match(dom, /A &lt;b&gt;mod&lt;\/b&gt;/);
    for (const { page } of shown) {
      const text = readFileSync(join(site, page), 'utf8');
      assert.match(text, /<dt>Game<\/dt>|class="error"/);
    }
  });

  test('pages need no network', () => {
    const texts = readdirSync(site).filter((name) => /\.(html|js|css)$/.test(name)).map((name) => readFileSync(join(site, name), 'utf8'));
    texts.push(...readdirSync(join(site, 'models')).map((name) => readFileSync(join(site, 'models', name), 'utf8')));
    for (const text of texts) assert.doesNotMatch(text, /(src|href)="(https?:)?\/\//);
  });

  test('search and filters narrow the list', () => {
    const all = cards(open('index.html'));
    const found = cards(open('index.html', '#search=mwtower+mdx'));
    assert.deepEqual(found.map(({ path }) => path), ['mwtower.mdx']);
    // Names of textures and clips are found, too.
    assert.ok(cards(open('index.html', '#search=mwspark')).some(({ path }) => path === 'mwtower.mdx'));
    assert.equal(cards(open('index.html', '#search=no-such-model')).length, 0);
    const small = cards(open('index.html', '#least=1&most=100'));
    assert.ok(small.length > 0 && small.length < all.length);
    assert.ok(cards(open('index.html', '#missing=1')).some(({ path }) => path.endsWith('.w3d') || path.endsWith('.mdx')));
    const broken = cards(open('index.html', '#findings=errors'));
    assert.ok(broken.some(({ path }) => path === 'damaged.w3d'));
  });

  test('a picture moves under the mouse and stops after it', () => {
    const script = `
      const card = document.querySelector('.card:has(img)');
      const image = card.querySelector('img');
      image.loading = 'eager';
      const log = [];
      const note = () => log.push(image.style.transform);
      card.dispatchEvent(new PointerEvent('pointerenter'));
      setTimeout(() => { note(); card.dispatchEvent(new PointerEvent('pointerleave')); note();
        document.body.dataset.log = log.join('|') + '|' + image.naturalWidth + 'x' + image.naturalHeight; }, 300);`;
    const [, log] = open('index.html', '', script).match(/data-log="([^"]*)"/) ?? [];
    assert.match(log ?? '', /^translateX\(-[1-9][\d.]*%\)\|translateX\(0%\)\|384x48$/);
  });

  test('a second run draws nothing, a change draws one', () => {
    const page = statSync(join(site, 'index.html')).mtimeMs;
    assert.match(gallery().stderr, /0 drawn/);
    assert.equal(statSync(join(site, 'index.html')).mtimeMs, page);
    rmSync(join(models, 'damaged.w3d'));
    assert.match(gallery().stderr, /0 drawn/);
    assert.equal(cards(open('index.html', '#search=damaged')).length, 0);
    assert.ok(!readdirSync(join(site, 'models')).some((name) => name.startsWith('damaged')));
  });
}
