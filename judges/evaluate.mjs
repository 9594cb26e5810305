// Where the vertices of a .glb are, evaluated with three.js: nodes and animations are its own, and vertices are skinned with the
// matrices that it has for the joints. (Its skinning itself takes four influences only.)
import * as THREE from 'three';

import { loadGltfThree } from './peers.mjs';

const COMPONENTS = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** The JSON of a .glb and a function that reads an accessor of it into an array of arrays. */
function openGlb(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonLength)));
  const binary = bytes.subarray(28 + jsonLength);
  const accessor = (index) => {
    const { bufferView, byteOffset = 0, componentType, count, type, normalized } = json.accessors[index];
    const Component = COMPONENTS[componentType];
    const width = WIDTHS[type];
    const { byteOffset: start = 0, byteStride = width * Component.BYTES_PER_ELEMENT } = json.bufferViews[bufferView];
    const scale = normalized ? 1 / (256 ** Component.BYTES_PER_ELEMENT - 1) : 1;
    return Array.from({ length: count }, (_, element) => {
      const from = start + byteOffset + element * byteStride;
      const values = new Component(binary.slice(from, from + width * Component.BYTES_PER_ELEMENT).buffer);
      return Array.from(values, (value) => value * scale);
    });
  };
  return { json, accessor };
}

/** A loaded .glb that can be posed and asked where its vertices are. */
export class Model {
  static async load(bytes) {
    const model = new Model();
    // Slices of a plain array are copies, those of Node's `Buffer` are not.
    Object.assign(model, openGlb(Uint8Array.from(bytes)));
    const { scene, parser } = await loadGltfThree(bytes);
    model.scene = scene;
    model.animations = await Promise.all((model.json.animations ?? []).map((_, at) => parser.getDependency('animation', at)));
    model.nodes = await Promise.all((model.json.nodes ?? []).map((_, at) => parser.getDependency('node', at)));
    model.rest = model.nodes.map(({ position, quaternion, scale }) => [position.clone(), quaternion.clone(), scale.clone()]);
    model.cache = new Map();
    return model;
  }

  /** Puts nodes where these animations have them, the later over the earlier. */
  pose(playing) {
    this.nodes.forEach((node, at) => {
      const [position, quaternion, scale] = this.rest[at];
      node.position.copy(position);
      node.quaternion.copy(quaternion);
      node.scale.copy(scale);
    });
    for (const { animation, time } of playing) {
      for (const track of this.animations[animation]?.tracks ?? []) {
        const value = track.createInterpolant(new track.ValueBufferType(track.getValueSize())).evaluate(time);
        new THREE.PropertyBinding(this.scene, track.name).setValue(value, 0);
      }
    }
    this.scene.updateMatrixWorld(true);
  }

  /**
   * World-space positions of every so many vertices of a mesh, each with the number of the vertex in the model. The last vertices of a mesh may be
   * copies of others (docs/gltf.md, `copies`).
   */
  positions(mesh, every) {
    const { extras, primitives } = this.json.meshes[mesh];
    const { attributes } = primitives[0];
    const copies = (extras?.meshwright?.copies ?? []).flatMap(([first, length]) => Array.from({ length }, (_, more) => first + more));
    const read = (index) => {
      if (!this.cache.has(index)) this.cache.set(index, this.accessor(index));
      return this.cache.get(index);
    };
    const all = read(attributes.POSITION);
    const chosen = all
      .map((vertex, index) => [vertex, index, copies[index - (all.length - copies.length)] ?? index])
      .filter(([, , source]) => source % every === 0);
    const at = this.json.nodes.findIndex((node) => node.mesh === mesh);
    const { skin } = this.json.nodes[at];
    const point = new THREE.Vector3();
    if (skin === undefined) {
      const { matrixWorld } = this.nodes[at];
      return chosen.map(([vertex, , source]) => [source, point.fromArray(vertex).applyMatrix4(matrixWorld).toArray()]);
    }
    const { joints, inverseBindMatrices } = this.json.skins[skin];
    const binds = read(inverseBindMatrices);
    const palette = joints.map((joint, index) =>
      new THREE.Matrix4().multiplyMatrices(this.nodes[joint].matrixWorld, new THREE.Matrix4().fromArray(binds[index])),
    );
    const sets = Object.keys(attributes).filter((name) => name.startsWith('JOINTS_'));
    const influences = sets.map((name) => [read(attributes[name]), read(attributes[name.replace('JOINTS', 'WEIGHTS')])]);
    return chosen.map(([vertex, index, source]) => {
      const sum = new THREE.Vector3();
      for (const [joints, weights] of influences) {
        joints[index].forEach((joint, place) => {
          const weight = weights[index][place];
          if (weight !== 0) sum.addScaledVector(point.fromArray(vertex).applyMatrix4(palette[joint]), weight);
        });
      }
      return [source, sum.toArray()];
    });
  }
}

/**
 * Compares the bytes of a .glb with the positions that its vertices must have, in a model of a certain size at rest:
 * `size, poses[] { clip, playing[] { animation, time }, meshes[] { mesh, every, positions[] } }`.
 * Returns the largest distance as a share of the size, and where that was.
 */
export async function compare(glb, { size: atRest, poses }) {
  const model = await Model.load(glb);
  const size = atRest || 1;
  const worst = { share: 0, vertices: 0, size };
  for (const { clip, playing, meshes } of poses) {
    model.pose(playing);
    for (const { mesh, every, positions } of meshes) {
      const found = model.positions(mesh, every);
      const vertices = new Set(found.map(([vertex]) => vertex)).size;
      if (vertices !== positions.length) throw new Error(`mesh ${mesh}: ${vertices} vertices, not ${positions.length}`);
      for (const [vertex, place] of found) {
        const wanted = positions[vertex / every];
        const share = Math.hypot(...wanted.map((value, axis) => value - place[axis])) / size;
        worst.vertices += 1;
        if (!(share <= worst.share)) {
          Object.assign(worst, { share, clip, time: playing.at(-1)?.time, mesh, index: vertex / every, wanted, found: place });
        }
      }
    }
  }
  return worst;
}
