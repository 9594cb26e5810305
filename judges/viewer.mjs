// The page of the viewer (`cargo xtask web`) in a headless Chromium: viewer.mjs FOLDER [PICTURES]
//
// It opens dropped files and folders, scrubs, shows errors as sentences, keeps its state in its address, draws what `soft` draws, and asks
// nobody for anything. MESHWRIGHT is the command line, CHROMIUM the browser if it is not on the PATH. Pictures go to PICTURES
// (FOLDER/../web-seen). The last line says what was seen.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { crop, decodePng, differing } from './png.mjs';

const { MESHWRIGHT = 'meshwright', CHROMIUM = 'chromium' } = process.env;
const folder = resolve(process.argv[2]);
const seen = resolve(process.argv[3] ?? join(folder, '../web-seen'));
/** The best of three first pictures has to be there after so many milliseconds. It takes less than 2 s; a busy machine is slower. */
const FIRST_PICTURE = Number(process.env.FIRST_PICTURE ?? 8000);
/** Models opened in a row, and by how many bytes the memory of the program may grow over the second half of them. */
const [MODELS, GROWTH] = [200, 4 << 20];
/** Pictures agree if so many pixels away from edges differ by no more than this. */
const [TOLERANCE, MOST_DIFFERING] = [2, 0.005];
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const WEBGPU = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan,WebGPU'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

const scratch = mkdtempSync(join(tmpdir(), 'meshwright-viewer-'));
rmSync(seen, { recursive: true, force: true });
mkdirSync(seen, { recursive: true });
const models = join(scratch, 'models');
execFileSync(MESHWRIGHT, ['demo', models], { stdio: 'ignore' });
const model = (name) => join(models, name);
// Not among the others, since a folder opens with its first model.
const broken = join(scratch, 'broken.mdx');
writeFileSync(broken, 'this is no model at all');

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
  // Messages of the graphics driver about its own speed are no errors.
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('request', (request) => request.url().startsWith(address) || /^(blob|data):/.test(request.url()) || page.problems.push(`asked for ${request.url()}`));
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

async function firstPicture(browser) {
  const times = [];
  for (let run = 0; run < 3; run += 1) {
    const page = await newPage(browser);
    await ready(page);
    times.push(await page.evaluate(() => performance.getEntriesByName('first-picture')[0].startTime));
    assert.equal(await fact(page, 'model'), 'mwtank.w3d', 'the sample is shown at once');
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
  const best = Math.min(...times);
  assert.ok(best <= FIRST_PICTURE, `the first picture took ${times.map(Math.round).join(', ')} ms`);
  return best;
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
  // Files that are no models.
  await drop(page, [model('mwtank.tga'), model('mwcrate.tga')]);
  await page.waitForFunction(() => document.getElementById('view').dataset.error !== '');
  assert.deepEqual(page.problems, []);
  await page.context().close();
  return sentence;
}

async function animation(browser) {
  const page = await newPage(browser);
  await ready(page, '?play=off&panel=none&clip=MWTANK.AIM&particles=off');
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
  // Play, stop, another clip, and the camera by mouse: all of it is in the address, and the address brings it back.
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
  const again = await newPage(browser);
  await ready(again, `?${new URLSearchParams(kept)}`);
  await again.mouse.move(500, 20);
  assert.ok(change(turned, await picture(again)) < 0.001, `the address brings the picture back: ${JSON.stringify(kept)}`);
  assert.deepEqual([...page.problems, ...again.problems], []);
  await page.context().close();
  await again.context().close();
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
async function comparison(browser, backend) {
  const page = await newPage(browser);
  const background = [16, 32, 48];
  const shares = [];
  for (const name of ['mwtank.w3d', 'mwtower.mdx']) {
    const shown = [];
    for (const software of ['off', 'on']) {
      // Edges of particles are soft, so they count as the rest does.
      await ready(page, `?backend=${backend}&play=off&panel=none&watch=off&background=102030&software=${software}`);
      await page.setInputFiles('#files', readdirSync(models).filter((file) => file === name || file.endsWith('.tga')).map(model));
      await until(page, 'model', name);
      await page.keyboard.press('.');
      shown.push(view(await picture(page, `${backend}-${name}-${software === 'on' ? 'soft' : 'gpu'}`), background));
    }
    const { share, counted } = differing(...shown, TOLERANCE);
    assert.ok(share <= MOST_DIFFERING, `${name} on ${backend}: ${(share * 100).toFixed(2)} % of pixels differ from soft`);
    assert.ok(counted > 0.5, `${name}: only ${(counted * 100).toFixed(0)} % of the picture are no edges`);
    shares.push(share);
  }
  await ready(page, `?backend=${backend}&play=off&panel=none&background=102030&clip=Stand`);
  await page.setInputFiles('#files', [model('warcraft.mdx')]);
  await until(page, 'model', 'warcraft.mdx');
  await page.keyboard.press('0');
  await page.waitForFunction(() => /model-camera=/.test(location.search));
  const shown = view(await picture(page, `${backend}-model-camera`), background);
  const camera = (await query(page))['model-camera'];
  const drawn = join(scratch, 'drawn.png');
  execFileSync(MESHWRIGHT, ['render', model('warcraft.mdx'), drawn, '--clip', 'Stand', '--time', '0', '--camera', camera, '--background', '102030', '--size', `${shown.width}x${shown.height}`], { stdio: 'ignore' });
  writeFileSync(join(seen, `${backend}-model-camera-render.png`), readFileSync(drawn));
  const { share } = differing(shown, decodePng(readFileSync(drawn)), TOLERANCE);
  assert.ok(share <= MOST_DIFFERING, `warcraft.mdx on ${backend}: ${(share * 100).toFixed(2)} % of pixels differ from meshwright render`);
  const adapter = await fact(page, 'adapter');
  assert.deepEqual(page.problems, []);
  await page.context().close();
  return `${adapter}: ${(Math.max(share, ...shares) * 100).toFixed(2)} % of pixels differ from soft`;
}

async function phone(browser) {
  const page = await newPage(browser, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  await ready(page, '?play=off');
  await picture(page, 'phone-panel');
  await ready(page, '?play=off&panel=none');
  await picture(page, 'phone');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is not wider than the screen');
  // A finger turns the camera.
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', { x: 150, y: 400 });
  for (let step = 1; step <= 5; step += 1) {
    // A finger is slower than a frame.
    await page.waitForTimeout(100);
    await touch('touchMove', { x: 150 + step * 20, y: 400 });
  }
  await page.waitForTimeout(100);
  await touch('touchEnd');
  await page.waitForFunction(() => /camera=/.test(location.search));
  await picture(page, 'phone-turned');
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

async function memory(browser) {
  const page = await newPage(browser);
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

const said = [];
const note = async (name, work) => {
  const started = Date.now();
  const text = await work;
  console.log(`${name}: ${text ?? 'passed'} [${((Date.now() - started) / 1000).toFixed(1)} s]`);
  return text;
};
let browser;
try {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...WEBGL] });
  const first = await note('first picture, ms', firstPicture(browser));
  said.push(`first picture after ${(first / 1000).toFixed(1)} s`);
  await note('files', files(browser));
  await note('animation', animation(browser));
  said.push(await note('comparison', comparison(browser, 'webgl')));
  await note('phone', phone(browser));
  said.push(await note('memory', memory(browser)));
  await browser.close();
  browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...WEBGPU] });
  const probe = await newPage(browser);
  await probe.goto(`${address}viewer.css`);
  const hasWebgpu = await probe.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()));
  said.push(hasWebgpu ? await note('WebGPU', comparison(browser, 'webgpu')) : 'this Chromium has no WebGPU');
  console.log(said.join('; '));
} finally {
  await browser?.close();
  server.close();
  rmSync(scratch, { recursive: true, force: true });
}
