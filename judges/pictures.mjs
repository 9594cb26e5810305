// Pictures of .glb files, drawn by three.js in a headless Chromium, for people to look at:
//
//   node judges/pictures.mjs OUT_DIR MODEL.glb... [--clip N --time SECONDS]
//
// Needs a `chromium` on the PATH (or its path in CHROMIUM). No picture of other people's models goes into the repository.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const { values: options, positionals: [folder, ...models] } = parseArgs({
  allowPositionals: true,
  options: { clip: { type: 'string' }, time: { type: 'string', default: '0' } },
});
if (!folder || models.length === 0) {
  console.error('usage: node judges/pictures.mjs OUT_DIR MODEL.glb... [--clip N --time SECONDS]');
  process.exit(2);
}

const PAGE = `<!doctype html><style>body{margin:0;background:#888}</style>
<script type="importmap">{"imports":{"three":"/three/build/three.module.js","three/addons/":"/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const query = new URLSearchParams(location.search);
const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(640, 480);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x667788);
scene.add(new THREE.HemisphereLight(0xffffff, 0x998877, 2.2));
const sun = new THREE.DirectionalLight(0xffffff, 2.5);
sun.position.set(2, 5, 3);
scene.add(sun);
const { scene: model, animations } = await new GLTFLoader().loadAsync('/model.glb');
scene.add(model);
const clip = animations[query.get('clip')];
if (clip) {
  const mixer = new THREE.AnimationMixer(model);
  mixer.clipAction(clip).play();
  mixer.setTime(Number(query.get('time')));
}
model.updateMatrixWorld(true);
const box = new THREE.Box3();
model.traverse((object) => { if (object.isMesh) { object.frustumCulled = false; object.computeBoundingBox?.(); box.expandByObject(object, true); } });
const sphere = box.getBoundingSphere(new THREE.Sphere());
const radius = sphere.radius || 1;
const camera = new THREE.PerspectiveCamera(40, 640 / 480, radius / 100, radius * 100);
camera.position.copy(sphere.center).addScaledVector(new THREE.Vector3(1, 0.6, 1.3).normalize(), radius * 3);
camera.lookAt(sphere.center);
renderer.render(scene, camera);
</script>`;

const three = fileURLToPath(new URL('node_modules/three/', import.meta.url));
const TYPES = { '.js': 'text/javascript', '.glb': 'model/gltf-binary' };
let current;
const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  try {
    const file = pathname === '/model.glb' ? current : pathname.startsWith('/three/') && join(three, pathname.slice(7));
    const body = file ? await readFile(file) : PAGE;
    response.writeHead(200, { 'content-type': TYPES[extname(pathname)] ?? 'text/html' }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, '127.0.0.1');

await mkdir(folder, { recursive: true });
const profile = await mkdtemp(join(tmpdir(), 'pictures-'));
try {
  for (const model of models) {
    current = model;
    const picture = join(folder, `${basename(model, '.glb')}.png`);
    const query = new URLSearchParams({ clip: options.clip ?? '', time: options.time });
    await promisify(execFile)(process.env.CHROMIUM ?? 'chromium', [
      '--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
      `--user-data-dir=${profile}`, '--window-size=640,480', '--hide-scrollbars', '--virtual-time-budget=20000',
      `--screenshot=${picture}`, `http://127.0.0.1:${server.address().port}/?${query}`,
    ]);
    console.log(picture);
  }
} finally {
  server.close();
  await rm(profile, { recursive: true, force: true });
}
