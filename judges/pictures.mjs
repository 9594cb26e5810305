// Pictures of models in the programs that people open them with, for people to look at:
//
//   node judges/pictures.mjs OUT_DIR [--textures DIR] [--time SECONDS] [--clip N] MODEL.glb... [MODEL.glb=SOURCE.mdx...]
//
// For each model: three.js, Babylon, and for those with their MDX mdx-m3-viewer, in a headless Chromium with the same camera. Writes
// `cameras.json` too, from which `pictures.py` draws the same in Blender.
//
// Needs a `chromium` on the PATH (or its path in CHROMIUM), and Babylon, which is large, from
// `npm install --no-save babylonjs@9 babylonjs-loaders@9`; without it there are no pictures of it. No picture of other people's models goes
// into the repository.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { Model } from './evaluate.mjs';

const { values: options, positionals: [folder, ...models] } = parseArgs({
  allowPositionals: true,
  options: { clip: { type: 'string', default: '0' }, time: { type: 'string', default: '0' }, textures: { type: 'string' } },
});
if (!folder || models.length === 0) {
  console.error('usage: node judges/pictures.mjs OUT_DIR [--textures DIR] [--time SECONDS] [--clip N] MODEL.glb[=SOURCE.mdx]...');
  process.exit(2);
}

const SIZE = [480, 360];
const FIELD_OF_VIEW = 40;
const VIEW = [0.8, 0.5, 1.3];

const THREE_PAGE = `<!doctype html><style>body{margin:0}</style>
<script type="importmap">{"imports":{"three":"/npm/three/build/three.module.js","three/addons/":"/npm/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const { eye, target, radius, clip, time } = await (await fetch('/camera.json')).json();
const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(${SIZE});
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x667788);
scene.add(new THREE.HemisphereLight(0xffffff, 0x998877, 2.2));
const sun = new THREE.DirectionalLight(0xffffff, 2.5);
sun.position.set(2, 5, 3);
scene.add(sun);
const { scene: model, animations } = await new GLTFLoader().loadAsync('/model.glb');
scene.add(model);
if (animations[clip]) {
  const mixer = new THREE.AnimationMixer(model);
  mixer.clipAction(animations[clip]).play();
  mixer.setTime(time);
}
model.traverse((object) => { object.frustumCulled = false; });
const camera = new THREE.PerspectiveCamera(${FIELD_OF_VIEW}, ${SIZE[0] / SIZE[1]}, radius / 100, radius * 100);
camera.position.set(...eye);
camera.lookAt(...target);
renderer.render(scene, camera);
</script>`;

const BABYLON_PAGE = `<!doctype html><style>body{margin:0}</style><canvas id="canvas" width="${SIZE[0]}" height="${SIZE[1]}"></canvas>
<script src="/npm/babylonjs/babylon.js"></script><script src="/npm/babylonjs-loaders/babylonjs.loaders.js"></script>
<script type="module">
const { eye, target, radius, clip, time } = await (await fetch('/camera.json')).json();
const engine = new BABYLON.Engine(document.getElementById('canvas'), true, { preserveDrawingBuffer: true });
const scene = new BABYLON.Scene(engine);
scene.useRightHandedSystem = true;
scene.clearColor = BABYLON.Color4.FromHexString('#667788ff');
const light = new BABYLON.HemisphericLight('sky', new BABYLON.Vector3(0, 1, 0), scene);
light.groundColor = new BABYLON.Color3(0.5, 0.45, 0.4);
const sun = new BABYLON.DirectionalLight('sun', new BABYLON.Vector3(-2, -5, -3), scene);
sun.intensity = 1.5;
await BABYLON.SceneLoader.AppendAsync('/', 'model.glb', scene);
scene.animationGroups.forEach((group) => group.stop());
const group = scene.animationGroups[clip];
if (group) { group.start(false); group.goToFrame(time * 60); group.pause(); }
const camera = new BABYLON.FreeCamera('camera', new BABYLON.Vector3(...eye), scene);
camera.setTarget(new BABYLON.Vector3(...target));
camera.fov = ${FIELD_OF_VIEW} * Math.PI / 180;
camera.minZ = radius / 100;
camera.maxZ = radius * 100;
scene.activeCamera = camera;
await scene.whenReadyAsync();
scene.render();
</script>`;

// mdx-m3-viewer has Warcraft III's axes: glTF's (x, y, z) is its (z, x, y).
const MDX_PAGE = `<!doctype html><style>body{margin:0}</style><canvas id="canvas" width="${SIZE[0]}" height="${SIZE[1]}"></canvas>
<script src="/npm/mdx-m3-viewer/dist/umd/viewer.min.js"></script>
<script type="module">
const { eye, target, radius, sequence, time } = await (await fetch('/camera.json')).json();
const { ModelViewer: Viewer, handlers } = window.ModelViewer.viewer;
const canvas = document.getElementById('canvas');
const viewer = new Viewer(canvas, { preserveDrawingBuffer: true, antialias: true });
const solver = (src) => (src === 'model' ? '/source.mdx' : '/texture?name=' + encodeURIComponent(src));
for (const name of ['mdx', 'blp', 'tga', 'dds']) viewer.addHandler(handlers[name], name === 'mdx' ? solver : undefined);
// Textures and tables that are not there are errors, which stop everything unless somebody listens.
viewer.on('error', () => {});
const scene = viewer.addScene();
scene.color = new Float32Array([0.4, 0.466, 0.533]);
const axes = ([x, y, z]) => [z, x, y];
scene.camera.perspective(${FIELD_OF_VIEW} * Math.PI / 180, ${SIZE[0] / SIZE[1]}, radius / 100, radius * 100);
scene.camera.moveToAndFace(axes(eye), axes(target), [0, 0, 1]);
const model = await viewer.load('model', solver);
const instance = model.addInstance();
instance.setScene(scene);
await new Promise((done) => viewer.whenAllLoaded(done));
const index = model.sequences?.findIndex(({ name }) => name === sequence);
if (index >= 0) { instance.setSequence(index); instance.setSequenceLoopMode(2); }
for (let frame = 0; frame < 2; frame += 1) viewer.updateAndRender(1000 * time / 2);
</script>`;

const modules = fileURLToPath(new URL('node_modules/', import.meta.url));
const TYPES = { '.js': 'text/javascript', '.glb': 'model/gltf-binary', '.json': 'application/json' };
const pictures = options.textures ? (await readdir(options.textures, { recursive: true })).map((name) => join(options.textures, name)) : [];
/** A texture by the last part of its path, whatever the case and the extension. */
function texture(name) {
  const stem = (path) => basename(path.replaceAll('\\', '/')).toLowerCase().replace(/\.[^.]*$/, '').replace(/~.*$/, '');
  return pictures.find((path) => stem(path) === stem(name) && /\.blp/i.test(path)) ?? pictures.find((path) => stem(path) === stem(name));
}
let current;
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const pages = { '/three': THREE_PAGE, '/babylon': BABYLON_PAGE, '/mdx': MDX_PAGE, '/camera.json': JSON.stringify(current.camera) };
  const file = () => {
    if (pathname === '/model.glb') return current.glb;
    if (pathname === '/source.mdx') return current.source;
    if (pathname === '/texture') return texture(searchParams.get('name')) ?? '';
    return pathname.startsWith('/npm/') ? join(modules, pathname.slice(5)) : '';
  };
  try {
    const body = pages[pathname] ?? (await readFile(file()));
    response.writeHead(200, { 'content-type': TYPES[extname(pathname)] ?? (pages[pathname] ? 'text/html' : 'application/octet-stream') }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, '127.0.0.1');

/** A .glb without materials, because Node cannot decode pictures. */
function withoutLooks(bytes) {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + length));
  for (const list of ['materials', 'textures', 'images', 'samplers']) delete json[list];
  json.meshes?.forEach((mesh) => mesh.primitives.forEach((primitive) => delete primitive.material));
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const header = Buffer.from(bytes.subarray(0, 20));
  header.writeUInt32LE(bytes.length - length + padded.length, 8);
  header.writeUInt32LE(padded.length, 12);
  return Buffer.concat([header, padded, bytes.subarray(20 + length)]);
}

/** A camera that sees every vertex of the meshes that show. */
async function cameraFor(glb) {
  const model = await Model.load(withoutLooks(await readFile(glb)));
  const [clip, time] = [Number(options.clip), Number(options.time)];
  model.pose(model.json.animations?.[clip] ? [{ animation: clip, time }] : []);
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  (model.json.meshes ?? []).forEach((mesh, at) => {
    const node = model.json.nodes.find((found) => found.mesh === at);
    const shows = node?.extensions?.KHR_node_visibility?.visible !== false;
    for (const point of node && shows ? model.positions(at, 7) : []) {
      point.forEach((value, axis) => { low[axis] = Math.min(low[axis], value); high[axis] = Math.max(high[axis], value); });
    }
  });
  const target = low.map((value, axis) => (value + high[axis]) / 2);
  const radius = Math.hypot(...low.map((value, axis) => high[axis] - value)) / 2 || 1;
  const length = Math.hypot(...VIEW);
  const eye = target.map((value, axis) => value + (VIEW[axis] / length) * radius * 2.6);
  const sequence = model.json.scenes[0].extras.meshwright.clips && Object.keys(model.json.scenes[0].extras.meshwright.clips)[clip];
  return { eye, target, radius, clip, time, sequence, size: SIZE, field_of_view: FIELD_OF_VIEW };
}

await mkdir(folder, { recursive: true });
const profile = await mkdtemp(join(tmpdir(), 'pictures-'));
const cameras = [];
try {
  for (const [at, word] of models.entries()) {
    const [glb, source] = word.split('=');
    const name = `${String(at).padStart(2, '0')} ${basename(glb, '.glb')}`;
    current = { glb, source, camera: await cameraFor(glb) };
    cameras.push({ glb, name, ...current.camera });
    const pages = ['three', existsSync(join(modules, 'babylonjs')) && 'babylon', source && 'mdx'].filter(Boolean);
    for (const page of pages) {
      const picture = join(folder, `${name}.${page}.png`);
      await promisify(execFile)(process.env.CHROMIUM ?? 'chromium', [
        '--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
        `--user-data-dir=${profile}`, `--window-size=${SIZE}`, '--hide-scrollbars', '--virtual-time-budget=20000',
        `--screenshot=${picture}`, `http://127.0.0.1:${server.address().port}/${page}`,
      ]).catch((error) => console.log(`${picture}: ${String(error).slice(0, 200)}`));
      console.log(picture);
    }
  }
} finally {
  await writeFile(join(folder, 'cameras.json'), JSON.stringify(cameras, null, 1));
  server.close();
  await rm(profile, { recursive: true, force: true });
}
