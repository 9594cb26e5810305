// The page of the viewer (`cargo xtask web`) in a headless Chromium: viewer.mjs FOLDER [PICTURES]
//
// It opens dropped files, folders and archives, scrubs, shows errors as sentences, keeps its state in its address, draws what `soft`
// draws, works with fingers, and sends nothing to other servers. MESHWRIGHT is the command line, CHROMIUM the browser if it is not on
// the PATH, MODELS the number of models that are opened in a row. ONLY names the parts to run, separated by commas. Pictures go to
// PICTURES (FOLDER/../web-seen). The last line is a summary.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { crop, decodePng, differing } from './png.mjs';

const { MESHWRIGHT = 'meshwright', CHROMIUM = 'chromium' } = process.env;
const folder = resolve(process.argv[2]);
const seen = resolve(process.argv[3] ?? join(folder, '../web-seen'));
/**
 * The first picture has to be there after so many milliseconds: the best of three loads. On a busy machine no load is that fast, so the
 * processor time of all processes of the browser counts too, which does not depend on other programs.
 */
const FIRST_PICTURE = 2000;
/** Models opened in a row, and by how many bytes the memory of the program may grow over the second half of them. */
const [MODELS, GROWTH] = [Number(process.env.MODELS ?? 200), 1 << 20];
/** Pictures agree if so many pixels away from edges differ by no more than this. */
const [TOLERANCE, MAX_DIFFERING] = [2, 0.005];
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

const scratch = mkdtempSync(join(tmpdir(), 'meshwright-viewer-'));
rmSync(seen, { recursive: true, force: true });
mkdirSync(seen, { recursive: true });
const models = join(scratch, 'models');
execFileSync(MESHWRIGHT, ['demo', models], { stdio: 'ignore' });
const model = (name) => join(models, name);
// Not among the others, since a folder opens with its first model.
const broken = join(scratch, 'broken.mdx');
writeFileSync(broken, 'this is not a model');
const archive = join(scratch, 'units.big');
execFileSync(MESHWRIGHT, ['pack', models, archive], { stdio: 'ignore' });
const huge = join(scratch, 'huge.w3d');
writeFileSync(huge, '');
// It takes no room on disk.
truncateSync(huge, 1.1e9);

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  try {
    const body = readFileSync(join(folder, pathname === '/' ? 'index.html' : pathname));
    response.writeHead(200, { 'content-type': TYPES[extname(pathname)] ?? 'text/html' }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, '127.0.0.1');
await new Promise((started) => server.once('listening', started));
const address = `http://127.0.0.1:${server.address().port}/`;

/** A page that notes everything that should not happen. */
async function newPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1024, height: 700 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  // Messages of the graphics driver about its own speed are warnings.
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  page.on('pageerror', (error) => page.problems.push(String(error)));
  context.on('request', (request) => request.url().startsWith(address) || /^(blob|data):/.test(request.url()) || page.problems.push(`asked for ${request.url()}`));
  page.setDefaultTimeout(60_000);
  return page;
}

const fact = (page, name) => page.evaluate((key) => document.getElementById('view').dataset[key], name);
const until = (page, name, value) => page.waitForFunction(([key, wanted]) => document.getElementById('view').dataset[key] === wanted, [name, value]);
const query = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.search)));
const ready = async (page, search = '') => {
  await page.goto(`${address}${search}`);
  await page.waitForFunction(() => ['ready', 'failed'].includes(document.documentElement.dataset.state));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.state), 'ready', await page.textContent('#error'));
};
/** A picture, once two in a row are the same. It is kept if it has a name. */
async function picture(page, name) {
  let before = await page.screenshot();
  for (let tries = 0; tries < 100; tries += 1) {
    // Longer than the viewer waits before it draws all pixels of a picture that stands still.
    await page.waitForTimeout(800);
    const after = await page.screenshot();
    if (before.equals(after)) {
      if (name) writeFileSync(join(seen, `${name}.png`), after);
      return decodePng(after);
    }
    before = after;
  }
  throw new Error(`${name}: the picture never comes to rest`);
}
const change = (one, other) => differing(one, other, 8).share;

/** Drops files and folders from disk, as a file manager does. */
async function drop(page, paths) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  await session.detach();
}

/** Seconds of processor time that the browser has used in all its processes. */
async function processorTime(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

async function firstPicture(browser) {
  const session = await browser.newBrowserCDPSession();
  const runs = [];
  for (let run = 0; run < 3 && !runs.some(({ time }) => time <= FIRST_PICTURE); run += 1) {
    const page = await newPage(browser);
    const before = await processorTime(session);
    await ready(page);
    const time = await page.evaluate(() => performance.getEntriesByName('first-picture')[0].startTime);
    runs.push({ time, processor: ((await processorTime(session)) - before) * 1000 });
    assert.equal(await fact(page, 'model'), 'mwtank.w3d', 'the sample is shown at once');
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
  await session.detach();
  const all = runs.map(({ time, processor }) => `${Math.round(time)} ms (processor ${Math.round(processor)} ms)`).join(', ');
  assert.ok(runs.some(({ time, processor }) => Math.min(time, processor) <= FIRST_PICTURE), `the first picture took ${all}`);
  return `first picture after ${all}`;
}

async function files(browser) {
  const page = await newPage(browser);
  await ready(page, '?play=off&panel=none');
  const sample = await picture(page, 'sample');
  // A W3D model alone, then with its texture.
  await drop(page, [model('mwcrate.w3d')]);
  await until(page, 'model', 'mwcrate.w3d');
  const bare = await picture(page, 'without-texture');
  await drop(page, [model('mwcrate.w3d'), model('mwcrate.tga')]);
  await page.waitForTimeout(500);
  const crate = await picture(page, 'with-texture');
  assert.ok(change(sample, bare) > 0.01 && change(bare, crate) > 0.01, 'the texture is found among the dropped files');
  // An MDX model with its textures.
  await drop(page, ['mwtower.mdx', 'mwtower.tga', 'mwspark.tga'].map(model));
  await until(page, 'model', 'mwtower.mdx');
  const tower = await picture(page, 'tower');
  // Another clip, and back.
  const clip = () => new URLSearchParams(location.search).get('clip');
  await page.keyboard.press('PageDown');
  await page.waitForFunction(clip);
  const other = await page.evaluate(clip);
  await page.keyboard.press('PageUp');
  await page.waitForFunction((known) => new URLSearchParams(location.search).get('clip') !== known, other);
  assert.deepEqual([other, await page.evaluate(clip)], ['Death', 'Stand']);
  // A broken file: a sentence, and the last good model stays.
  await drop(page, [broken]);
  await page.waitForFunction(() => document.getElementById('view').dataset.error !== '');
  const sentence = await fact(page, 'error');
  assert.match(sentence, /broken\.mdx/);
  assert.equal(await fact(page, 'model'), 'mwtower.mdx');
  await picture(page, 'broken');
  await page.keyboard.press('Escape');
  await until(page, 'error', '');
  assert.ok(change(tower, await picture(page)) < 0.001, 'the model is still there');
  // A whole folder, dropped and chosen; the arrow keys step through it.
  await drop(page, [models]);
  await page.waitForFunction(() => document.getElementById('view').dataset.model !== 'mwtower.mdx');
  const first = await fact(page, 'model');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((known) => document.getElementById('view').dataset.model !== known, first);
  await page.setInputFiles('#files', [model('mwtank.w3d'), model('mwtank.tga')]);
  await until(page, 'model', 'mwtank.w3d');
  await page.setInputFiles('#folder', models);
  await page.waitForFunction(() => document.getElementById('view').dataset.model !== 'mwtank.w3d');
  // An archive: its first model is shown, with its texture.
  await drop(page, [model('mwtower.mdx')]);
  await until(page, 'model', 'mwtower.mdx');
  await drop(page, [archive]);
  await until(page, 'model', first);
  await picture(page, 'archive');
  // Files that are not models, and files that are too large. The last model stays.
  await drop(page, [model('mwtank.tga'), model('mwcrate.tga')]);
  await page.waitForFunction(() => document.getElementById('view').dataset.error !== '');
  await page.keyboard.press('Escape');
  await until(page, 'error', '');
  await drop(page, [huge]);
  await page.waitForFunction(() => /too large: 1\.1 GB/.test(document.getElementById('view').dataset.error));
  assert.equal(await fact(page, 'model'), first);
  assert.deepEqual(page.problems, []);
  await page.context().close();
  return sentence;
}

async function animation(browser) {
  const page = await newPage(browser);
  await ready(page, '?play=off&panel=none&clip=AIM&particles=off');
  const start = await picture(page, 'start');
  // Frame by frame, then with the mouse on the time line, which is the last row of the window.
  for (let frame = 0; frame < 8; frame += 1) await page.keyboard.press('.');
  await page.waitForFunction(() => /time=/.test(location.search));
  const stepped = await picture(page, 'stepped');
  assert.ok(change(start, stepped) > 0.0005, 'the model moves with the frames');
  const before = Number((await query(page)).time);
  const y = 700 - 14;
  await page.mouse.move(300, y);
  await page.mouse.down();
  await page.mouse.move(700, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((known) => Number(new URLSearchParams(location.search).get('time')) !== known, before);
  const scrubbed = Number((await query(page)).time);
  await picture(page, 'scrubbed');
  // Play, stop, and the camera by mouse: all of it is in the address, and the address brings it back.
  await page.keyboard.press('Space');
  await page.waitForFunction(() => !/play=off/.test(location.search));
  await page.keyboard.press('Space');
  await page.waitForFunction(() => /play=off/.test(location.search));
  await page.mouse.move(500, 300);
  await page.mouse.down();
  await page.mouse.move(600, 340, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => /camera=/.test(location.search));
  await page.mouse.move(500, 20);
  const turned = await picture(page, 'turned');
  await page.waitForTimeout(600);
  const kept = await query(page);
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.state === 'ready');
  await page.mouse.move(500, 20);
  assert.ok(change(turned, await picture(page)) < 0.001, `the address brings the picture back: ${JSON.stringify(kept)}`);
  assert.deepEqual(await query(page), kept);
  assert.deepEqual(page.problems, []);
  await page.context().close();
  return `scrubbed to ${scrubbed} s`;
}

/** The part of a picture that shows the model: where its left edge has the colour of the background. */
function view(whole, [red, green, blue]) {
  const isBackground = (y) => [red, green, blue].every((value, channel) => Math.abs(whole.pixels[(y * whole.width + 1) * 4 + channel] - value) <= 1);
  const rows = [...Array(whole.height).keys()].filter(isBackground);
  const [top, bottom] = [rows[0], rows[rows.length - 1]];
  assert.ok(bottom - top > 100 && rows.length === bottom - top + 1, 'the view has one background');
  return crop(whole, 0, top, whole.width, bottom - top + 1);
}

/** The canvas shows what `soft` draws: on the page for any camera, and on the command line for a camera of the model. */
async function comparison(browser) {
  const page = await newPage(browser);
  const background = [16, 32, 48];
  const shares = [];
  for (const name of ['mwtank.w3d', 'mwtower.mdx']) {
    const shown = [];
    for (const software of ['off', 'on']) {
      // Edges of particles are soft, so they count as the rest does.
      await ready(page, `?play=off&panel=none&watch=off&background=102030&software=${software}`);
      // The page starts with one of the models; with another one in between, the wait ends when the files are open.
      for (const opened of ['mwcrate.w3d', name]) {
        await page.setInputFiles('#files', readdirSync(models).filter((file) => file === opened || file.endsWith('.tga')).map(model));
        await until(page, 'model', opened);
      }
      await page.keyboard.press('.');
      shown.push(view(await picture(page, `${name}-${software === 'on' ? 'soft' : 'shown'}`), background));
    }
    const { share, counted } = differing(...shown, TOLERANCE);
    assert.ok(share <= MAX_DIFFERING, `${name}: ${(share * 100).toFixed(2)} % of pixels differ from soft`);
    assert.ok(counted > 0.5, `${name}: only ${(counted * 100).toFixed(0)} % of the picture are no edges`);
    shares.push(share);
  }
  await ready(page, `?play=off&panel=none&background=102030&clip=Stand`);
  await page.setInputFiles('#files', [model('warcraft.mdx')]);
  await until(page, 'model', 'warcraft.mdx');
  await page.keyboard.press('0');
  await page.waitForFunction(() => /model-camera=/.test(location.search));
  const shown = view(await picture(page, 'model-camera'), background);
  const camera = (await query(page))['model-camera'];
  const drawn = join(scratch, 'drawn.png');
  execFileSync(MESHWRIGHT, ['render', model('warcraft.mdx'), drawn, '--clip', 'Stand', '--time', '0', '--camera', camera, '--background', '102030', '--size', `${shown.width}x${shown.height}`], { stdio: 'ignore' });
  writeFileSync(join(seen, 'model-camera-render.png'), readFileSync(drawn));
  const { share } = differing(shown, decodePng(readFileSync(drawn)), TOLERANCE);
  assert.ok(share <= MAX_DIFFERING, `warcraft.mdx: ${(share * 100).toFixed(2)} % of pixels differ from meshwright render`);
  const adapter = await fact(page, 'adapter');
  assert.ok(!adapter.startsWith('the processor'), `the models are drawn by ${adapter}`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
  return `${adapter}: ${(Math.max(share, ...shares) * 100).toFixed(2)} % of pixels differ from soft`;
}

async function phone(browser) {
  const page = await newPage(browser, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  await ready(page, '?play=off&panel=display');
  await picture(page, 'phone-panel');
  await ready(page, '?play=off');
  assert.equal((await query(page)).panel ?? 'none', 'none', 'the panel starts closed');
  const start = await picture(page, 'phone');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is not wider than the screen');
  assert.deepEqual(await page.evaluate(() => { const { width, height } = document.getElementById('view'); return [width, height]; }), [780, 1688], 'the picture has all pixels of the screen');
  // A finger turns the camera.
  const session = await page.context().newCDPSession(page);
  const touch = async (type, ...touchPoints) => {
    await session.send('Input.dispatchTouchEvent', { type, touchPoints });
    // A finger is slower than the pictures.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))));
  };
  const camera = async () => ((await query(page)).camera ?? '40,25').split(',').map(Number);
  await touch('touchStart', { x: 150, y: 400 });
  for (let step = 1; step <= 5; step += 1) await touch('touchMove', { x: 150 + step * 20, y: 400 });
  await touch('touchEnd');
  await page.waitForFunction(() => /camera=/.test(location.search));
  await page.waitForTimeout(600);
  const turned = await camera();
  assert.ok(Math.abs(turned[0]) < 20 && Math.abs(turned[1] - 25) < 1, `100 points to the right turn the camera by 40 degrees: ${turned}`);
  assert.ok(change(start, await picture(page, 'phone-turned')) > 0.01);
  // Two fingers zoom, and do not turn.
  for (let step = 0; step <= 5; step += 1) {
    const points = [{ x: 195, y: 350 - step * 15, id: 1 }, { x: 195, y: 450 + step * 15, id: 2 }];
    if (step === 0) {
      await touch('touchStart', points[0]);
      await touch('touchStart', ...points);
    } else {
      await touch('touchMove', ...points);
    }
  }
  await touch('touchEnd');
  await page.waitForFunction(() => (new URLSearchParams(location.search).get('camera') ?? '').split(',').length > 2);
  await page.waitForTimeout(600);
  const pinched = await camera();
  assert.ok(pinched[2] > 1.5 && pinched[2] < 4, `two fingers apart bring the camera nearer: ${pinched}`);
  assert.ok(Math.abs(pinched[0] - turned[0]) < 2 && Math.abs(pinched[1] - turned[1]) < 2, `two fingers do not turn the camera: ${turned} and ${pinched}`);
  await picture(page, 'phone-pinched');
  // A tap on the time line chooses a time.
  await page.touchscreen.tap(300, 844 - 24);
  await page.waitForFunction(() => /time=/.test(location.search));
  assert.deepEqual(page.problems, []);
  await page.context().close();
  return `turned to ${turned}, pinched to ${pinched}`;
}

/** What the page says when it cannot draw. */
async function failures(browser) {
  // No WebGL2.
  const without = await newPage(browser);
  await without.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest); };
  });
  await without.goto(address);
  await without.waitForFunction(() => document.documentElement.dataset.state === 'failed');
  const sentence = await without.textContent('#error');
  assert.match(sentence, /^This browser cannot draw with WebGL2\. .*meshwright-viewer\.$/);
  writeFileSync(join(seen, 'no-webgl2.png'), await without.screenshot());
  assert.deepEqual(without.problems, []);
  await without.context().close();
  // A lost graphics device, and a new one: the model is shown again.
  const page = await newPage(browser);
  await ready(page, '?play=off&panel=none');
  await drop(page, ['mwtower.mdx', 'mwtower.tga', 'mwspark.tga'].map(model));
  await until(page, 'model', 'mwtower.mdx');
  const before = await picture(page);
  await page.evaluate(() => {
    window.device = document.getElementById('view').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.device.loseContext();
  });
  await page.waitForFunction(() => document.documentElement.dataset.state === 'failed');
  assert.match(await page.textContent('#error'), /^The graphics device was lost\. /);
  await page.waitForTimeout(500);
  writeFileSync(join(seen, 'lost-device.png'), await page.screenshot());
  await page.evaluate(() => window.device.restoreContext());
  await page.waitForFunction(() => document.documentElement.dataset.state === 'ready');
  await until(page, 'model', 'mwtower.mdx');
  assert.equal(await page.isVisible('#error'), false);
  assert.ok(change(before, await picture(page, 'restored-device')) < 0.001, 'the model is shown on the new device');
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

/** The page cannot send anything to another server, even if its code wanted to, and leaves nothing in the browser. */
async function privacy(browser) {
  const page = await newPage(browser);
  await ready(page);
  const kept = await page.evaluate(async () => [document.cookie, localStorage.length, sessionStorage.length, (await indexedDB.databases()).length]);
  assert.deepEqual(kept, ['', 0, 0, 0], 'nothing is stored in the browser');
  const refused = await page.evaluate(() => new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
    fetch('http://192.0.2.1/').catch(() => {});
  }));
  assert.equal(refused, 'connect-src');
  await page.context().close();
}

async function memory(browser) {
  const page = await newPage(browser, { viewport: { width: 400, height: 300 } });
  await ready(page, '?play=off&panel=none');
  const read = (...names) => names.map((name) => [name, readFileSync(model(name)).toString('base64')]);
  const sets = [read('mwcrate.w3d', 'mwcrate.tga'), read('mwtower.mdx', 'mwtower.tga', 'mwspark.tga'), read('mwtank.w3d', 'mwtank.tga', 'mwsmoke.tga'), read('damaged.w3d')];
  const [half, whole] = await page.evaluate(async ([all, count]) => {
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const groups = all.map((set) => set.map(([name, text]) => [name, bytes(text)]));
    const frame = () => new Promise(requestAnimationFrame);
    const sizes = [];
    for (let at = 0; at < count; at += 1) {
      window.meshwright.open(groups[at % groups.length], false);
      await frame();
      await frame();
      if (at + 1 === count / 2) sizes.push(window.meshwright.memory());
    }
    return [...sizes, window.meshwright.memory()];
  }, [sets, MODELS]);
  assert.ok(whole - half <= GROWTH, `the memory grew from ${half} to ${whole} bytes over ${MODELS / 2} models`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
  return `${(whole / 1e6).toFixed(0)} MB after ${MODELS} models`;
}

const PARTS = { first: firstPicture, files, animation, comparison, phone, failures, privacy, memory };
const wanted = process.env.ONLY?.split(',') ?? Object.keys(PARTS);
const summary = [];
// Playwright wants a whole path.
const folders = isAbsolute(CHROMIUM) ? [''] : process.env.PATH.split(delimiter);
const executablePath = folders.map((place) => join(place, CHROMIUM)).find((path) => existsSync(path));
let browser;
try {
  browser = await chromium.launch({ executablePath, args: [...FLAGS, ...WEBGL] });
  for (const name of wanted) {
    const started = Date.now();
    const text = await PARTS[name](browser);
    console.log(`${name}: ${text ?? 'passed'} [${((Date.now() - started) / 1000).toFixed(1)} s]`);
    if (['first', 'comparison', 'memory'].includes(name)) summary.push(text);
  }
  console.log(summary.join('; '));
} finally {
  await browser?.close();
  server.close();
  rmSync(scratch, { recursive: true, force: true });
}
