// Pictures of MDX models by `meshwright render`, mdx-m3-viewer and war3-model, with the same camera, clip and time, for people to look at:
//
//   node judges/second_opinion.mjs OUT_DIR --meshwright PROGRAM [--textures DIR]... [--time SECONDS] [--clip NAME] MODEL.mdx...
//
// Four pictures for each model: `.ours.png` and `.viewer.png` in mdx-m3-viewer's light, `.flat.png` and `.war3model.png` without light,
// because war3-model has none for classic models. Their emitters start when they are loaded and use other random numbers: all play
// a looping clip for some rounds first. No picture of other people's models goes into the repository.
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { parseMDX } from 'war3-model';

import { browser, serve, textureFinder } from './browser.mjs';

const { values: options, positionals: [folder, ...models] } = parseArgs({
  allowPositionals: true,
  options: {
    meshwright: { type: 'string', default: 'meshwright' },
    textures: { type: 'string', multiple: true, default: [] },
    time: { type: 'string' },
    clip: { type: 'string' },
  },
});
if (!folder || models.length === 0) {
  console.error('usage: node judges/second_opinion.mjs OUT_DIR --meshwright PROGRAM [--textures DIR]... [--time S] [--clip NAME] MODEL.mdx...');
  process.exit(2);
}

const SIZE = [360, 360];
const BACKGROUND = [0.35, 0.37, 0.4];
// Towards the light of `--light viewer`, in Warcraft III's axes.
const LIGHT = [1, 0.8, 1.4];
// So long emitters run before the picture, at least.
const WARM_UP = 4;
const STEP = 1 / 60;
const TEAM_COLOR = [1, 3 / 255, 3 / 255];

// Our camera has glTF's up: (x, y, z) is Warcraft III's (x, -z, y).
const CAMERA = `
// What goes wrong is in the picture.
addEventListener('error', (event) => document.body.append(event.message));
addEventListener('unhandledrejection', (event) => document.body.append(String(event.reason)));
const shot = await (await fetch('/shot.json')).json();
const { view, projection: p, position } = shot.camera;
const axes = ([x, y, z]) => [x, -z, y];
const row = (at) => axes([view[at], view[at + 4], view[at + 8]]);
const eye = axes(position);
const back = row(2);
const target = eye.map((value, axis) => value - back[axis] * 100);
const [near, far] = [p[14] / p[10], p[14] / (1 + p[10])];
const field_of_view = 2 * Math.atan(1 / p[5]);
const aspect = p[5] / p[0];
const steps = Math.round(shot.time / ${STEP});
`;

const VIEWER_PAGE = `<!doctype html><style>body{margin:0;font:12px sans-serif}canvas{position:absolute;z-index:-1}</style><canvas id="canvas" width="${SIZE[0]}" height="${SIZE[1]}"></canvas>
<script src="/npm/mdx-m3-viewer/dist/umd/viewer.min.js"></script>
<script type="module">
${CAMERA}
const { ModelViewer: Viewer, handlers } = window.ModelViewer.viewer;
const viewer = new Viewer(document.getElementById('canvas'), { preserveDrawingBuffer: true, antialias: true, alpha: false });
const solver = (src) => (src === 'model' ? '/source' : '/texture?name=' + encodeURIComponent(src));
for (const name of ['mdx', 'blp', 'tga', 'dds']) viewer.addHandler(handlers[name], name === 'mdx' ? solver : undefined);
// Textures and tables that are not there are errors, which stop everything unless somebody listens.
viewer.on('error', () => {});
const scene = viewer.addScene();
scene.color = new Float32Array(${JSON.stringify(BACKGROUND)});
scene.lightPosition.set(${JSON.stringify(LIGHT.map((part) => part * 1e5))});
scene.camera.perspective(field_of_view, aspect, near, far);
scene.camera.moveToAndFace(eye, target, row(1));
const model = await viewer.load('model', solver);
const instance = model.addInstance();
instance.setScene(scene);
await new Promise((done) => viewer.whenAllLoaded(done));
// Textures are uploaded a little later.
await new Promise((done) => setTimeout(done, 1000));
const index = model.sequences?.findIndex(({ name }) => name === shot.clip) ?? -1;
if (index >= 0) { instance.setSequence(index); instance.setSequenceLoopMode(2); }
const interval = model.sequences?.[index]?.interval ?? [0, 0];
for (let frame = 0; frame < steps; frame += 1) viewer.update(1000 * ${STEP});
// Each round loses a part of a step.
if (index >= 0) { instance.frame = interval[0] + 1000 * (shot.local_time - ${STEP}); viewer.update(1000 * ${STEP}); }
viewer.startFrame();
viewer.render();
</script>`;

const WAR3_MODEL_PAGE = `<!doctype html><style>body{margin:0;font:12px sans-serif}canvas{position:absolute;z-index:-1}</style><canvas id="canvas" width="${SIZE[0]}" height="${SIZE[1]}"></canvas>
<script src="/npm/war3-model/dist/war3-model.browser.js"></script>
<script type="module">
${CAMERA}
const { parseMDX, ModelRenderer, decodeBLP, getBLPImageData } = window.war3model;
const gl = document.getElementById('canvas').getContext('webgl2', { preserveDrawingBuffer: true, antialias: true, alpha: false });
const model = parseMDX(await (await fetch('/source')).arrayBuffer());
const renderer = new ModelRenderer(model);
renderer.initGL(gl);
renderer.setTeamColor(${JSON.stringify(TEAM_COLOR)});
for (const { Image } of model.Textures) {
  if (!Image) continue;
  const bytes = await (await fetch('/texture?name=' + encodeURIComponent(Image))).arrayBuffer();
  if (new TextDecoder().decode(bytes.slice(0, 3)) !== 'BLP') continue;
  const blp = decodeBLP(bytes);
  renderer.setTextureImageData(Image, blp.mipmaps.map((_, level) => getBLPImageData(blp, level)));
}
const dot = (a, b) => a.reduce((sum, value, axis) => sum + value * b[axis], 0);
const rows = [row(0), row(1), back];
// Column by column; their depth goes from -1 to 1.
const modelView = [0, 1, 2].flatMap((axis) => [...rows.map((r) => r[axis]), 0]).concat(rows.map((r) => -dot(r, eye)), 1);
const projection = [p[0], 0, 0, 0, 0, p[5], 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
// From +X, where billboards look, to the camera.
const quat = [0, -back[2], back[1], 1 + back[0]];
const length = Math.hypot(...quat);
renderer.setCamera(eye, length > 0 ? quat.map((part) => part / length) : [0, 0, 1, 0]);
const index = model.Sequences.findIndex(({ Name }) => Name === shot.clip);
if (index >= 0) renderer.setSequence(index);
const interval = model.Sequences[index]?.Interval ?? [0, 0];
for (let frame = 0; frame < steps; frame += 1) renderer.update(1000 * ${STEP});
if (index >= 0) { renderer.setFrame(interval[0] + 1000 * (shot.local_time - ${STEP})); renderer.update(1000 * ${STEP}); }
gl.clearColor(${BACKGROUND}, 1);
gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
gl.enable(gl.DEPTH_TEST);
gl.depthFunc(gl.LEQUAL);
renderer.render(new Float32Array(modelView), new Float32Array(projection), { wireframe: false });
</script>`;

const texture = await textureFinder(options.textures);
let current;
const server = serve(
  () => ({ '/viewer': VIEWER_PAGE, '/war3model': WAR3_MODEL_PAGE, '/shot.json': JSON.stringify(current.shot) }),
  (pathname, query) => ({ '/source': current.source, '/texture': texture(query.get('name') ?? '') })[pathname],
);

/** Draws a picture, and returns what is known of it. */
async function ours(source, picture, light, time) {
  const hex = BACKGROUND.map((part) => Math.round(part * 255).toString(16).padStart(2, '0')).join('');
  const words = ['render', source, picture, '--json', '--size', SIZE.join('x'), '--background', hex, '--light', light];
  for (const folder of options.textures) words.push('--textures', folder);
  if (options.clip !== undefined) words.push('--clip', options.clip);
  if (time !== undefined) words.push('--time', time);
  const { stdout } = await promisify(execFile)(options.meshwright, words);
  return JSON.parse(stdout).files[0];
}

/** The rounds that a looping clip plays before the picture, in seconds. */
async function warmUp(source, clip) {
  const bytes = await readFile(source);
  const { Sequences } = parseMDX(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const sequence = Sequences.find(({ Name }) => Name === clip);
  if (!sequence || sequence.NonLooping) return 0;
  const duration = (sequence.Interval[1] - sequence.Interval[0]) / 1000;
  return duration > 0 ? duration * Math.ceil(WARM_UP / duration) : 0;
}

await mkdir(folder, { recursive: true });
const chromium = await browser(SIZE);
try {
  for (const [at, source] of models.entries()) {
    const name = join(folder, `${String(at).padStart(2, '0')} ${basename(source).replace(/\.mdx.*$/i, '')}`);
    const { time, clip } = await ours(source, `${name}.ours.png`, 'viewer', options.time);
    const later = time + (await warmUp(source, clip));
    const shot = await ours(source, `${name}.ours.png`, 'viewer', later);
    current = { source, shot: { ...shot, local_time: time } };
    await ours(source, `${name}.flat.png`, 'flat', later);
    await chromium.screenshot(`${server.address()}/viewer`, `${name}.viewer.png`);
    await chromium.screenshot(`${server.address()}/war3model`, `${name}.war3model.png`);
  }
} finally {
  server.stop();
  await chromium.close();
}
