// Pictures of our glTF files in the programs that people open them with, for people to look at:
//
//   node judges/pictures.mjs OUT_DIR [--time SECONDS] [--clip N] MODEL.glb...
//
// For each model: three.js and Babylon in a headless Chromium with the same camera. Writes `cameras.json` too, from which `pictures.py`
// draws the same in Blender. `second_opinion.mjs` compares pictures of `meshwright render` with those of MDX viewers.
//
// Needs a `chromium` on the PATH (or its path in CHROMIUM), and Babylon, which is large, from
// `npm install --no-save babylonjs@9 babylonjs-loaders@9`; without it there are no pictures of it. No picture of other people's models goes
// into the repository.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { browser, modules, serve } from './browser.mjs';
import { Model } from './evaluate.mjs';

const { values: options, positionals: [folder, ...models] } = parseArgs({
  allowPositionals: true,
  options: { clip: { type: 'string', default: '0' }, time: { type: 'string', default: '0' } },
});
if (!folder || models.length === 0) {
  console.error('usage: node judges/pictures.mjs OUT_DIR [--time SECONDS] [--clip N] MODEL.glb...');
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

let current;
const server = serve(
  () => ({ '/three': THREE_PAGE, '/babylon': BABYLON_PAGE, '/camera.json': JSON.stringify(current.camera) }),
  (pathname) => (pathname === '/model.glb' ? current.glb : undefined),
);

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
    for (const [, point] of node && shows ? model.positions(at, 7) : []) {
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
const chromium = await browser(SIZE);
const cameras = [];
try {
  for (const [at, glb] of models.entries()) {
    const name = `${String(at).padStart(2, '0')} ${basename(glb, '.glb')}`;
    current = { glb, camera: await cameraFor(glb) };
    cameras.push({ glb, name, ...current.camera });
    for (const page of ['three', existsSync(join(modules, 'babylonjs')) && 'babylon'].filter(Boolean)) {
      await chromium.screenshot(`${server.address()}/${page}`, join(folder, `${name}.${page}.png`));
    }
  }
} finally {
  await writeFile(join(folder, 'cameras.json'), JSON.stringify(cameras, null, 1));
  server.stop();
  await chromium.close();
}
