// Other people's readers behind one small set of functions, so that a judge test says only what it expects.
// Every function throws when the peer refuses the input; none of them writes or fetches anything.
import { createRequire } from 'node:module';

import * as war3Model from 'war3-model';

// mdx-m3-viewer is CommonJS and its index pulls in the WebGL viewer; the parsers alone need no browser.
const require = createRequire(import.meta.url);
const { default: ViewerModel } = require('mdx-m3-viewer/dist/cjs/parsers/mdlx/model.js');
const { default: viewerSanityTest } = require('mdx-m3-viewer/dist/cjs/utils/mdlx/sanitytest/sanitytest.js');
const gltfValidator = require('gltf-validator');

/** A buffer of exactly these bytes: Node's `Buffer` is often a window into a larger shared one. */
const exactBuffer = (bytes) => Uint8Array.from(bytes).buffer;

/** MDX as war3-model reads it: its `Model`, with `Version`, `Info`, `Geosets`, ... */
export const parseMdxWar3Model = (bytes) => war3Model.parseMDX(exactBuffer(bytes));

/** MDL as war3-model reads it. */
export const parseMdlWar3Model = (text) => war3Model.parseMDL(text);

/** MDX as mdx-m3-viewer reads it: its `Model`, with `version`, `name`, `geosets`, ... */
export function parseMdxViewer(bytes) {
  const model = new ViewerModel();
  model.loadMdx(exactBuffer(bytes));
  return model;
}

/** MDL as mdx-m3-viewer reads it. */
export function parseMdlViewer(text) {
  const model = new ViewerModel();
  model.loadMdl(text);
  return model;
}

/**
 * mdx-m3-viewer's linter over one of its own models (from `parseMdxViewer` or `parseMdlViewer`).
 * Returns the counts and every message with the path of objects that leads to it.
 */
export function sanityTest(model) {
  const { errors, severe, warnings, unused, nodes } = viewerSanityTest(model);
  const messages = [];
  const collect = (children, path) => {
    for (const child of children) {
      if (child.type === 'node') collect(child.nodes, [...path, child.name]);
      else messages.push({ type: child.type, path: path.join(' / '), message: child.message });
    }
  };
  collect(nodes, []);
  // Only objects that others refer to are counted.
  const idle = nodes.filter(({ uses }) => uses === 0);
  messages.push(...idle.map(({ name }) => ({ type: 'unused', path: name, message: `Not used: ${name}` })));
  return { errors, severe, warnings, unused, messages };
}

/**
 * The Khronos validator over a .glb or a .gltf. `readResource(uri)` returns the bytes of a file that it refers to.
 * Returns the report: `issues.numErrors`, `issues.messages`, `info`, ...
 */
export const validateGltf = (bytes, readResource) =>
  gltfValidator.validateBytes(Uint8Array.from(bytes), {
    maxIssues: 0, // no limit
    ...(readResource && { externalResourceFunction: async (uri) => Uint8Array.from(await readResource(uri)) }),
  });

/** A self-contained .glb or .gltf without images (they need a browser) as three.js loads it: `scene`, `animations`, ... */
export async function loadGltfThree(bytes) {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  return new GLTFLoader().parseAsync(exactBuffer(bytes), '');
}
