// Reads and writes PNG files with eight bits per channel, as browsers and `meshwright render` write them, without a package.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** The pixels of a PNG as RGBA, four bytes each. */
export function decodePng(bytes) {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const channels = { 0: 1, 2: 3, 6: 4 }[bytes[25]];
  if (bytes[24] !== 8 || !channels || bytes[28] !== 0) throw new Error(`a PNG with ${bytes[24]} bits and colour type ${bytes[25]} is not supported`);
  const parts = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const left = x < channels ? 0 : rows[y * stride + x - channels];
      const above = y === 0 ? 0 : rows[(y - 1) * stride + x];
      const corner = y === 0 || x < channels ? 0 : rows[(y - 1) * stride + x - channels];
      rows[y * stride + x] = data[y * (stride + 1) + 1 + x] + [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
    }
  }
  const pixels = Buffer.alloc(width * height * 4, 255);
  for (let at = 0; at < width * height; at += 1) {
    for (let channel = 0; channel < 4; channel += 1) {
      if (channels === 1 && channel < 3) pixels[at * 4 + channel] = rows[at];
      else if (channel < channels) pixels[at * 4 + channel] = rows[at * channels + channel];
    }
  }
  return { width, height, pixels };
}

function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** A part of a picture. */
export function crop(picture, x, y, width, height) {
  const pixels = Buffer.alloc(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const start = ((y + row) * picture.width + x) * 4;
    picture.pixels.copy(pixels, row * width * 4, start, start + width * 4);
  }
  return { width, height, pixels };
}

/** A picture of this size with others at given places: `[[picture, x, y], ...]`. */
export function paste(placed, width, height) {
  const pixels = Buffer.alloc(width * height * 4, 255);
  for (const [picture, x, y] of placed) {
    for (let row = 0; row < picture.height; row += 1) {
      picture.pixels.copy(pixels, ((y + row) * width + x) * 4, row * picture.width * 4, (row + 1) * picture.width * 4);
    }
  }
  return { width, height, pixels };
}

/** A picture as a PNG file. */
export function encodePng({ width, height, pixels }) {
  const chunk = (name, data) => {
    const bytes = Buffer.alloc(data.length + 12);
    bytes.writeUInt32BE(data.length, 0);
    bytes.write(name, 4, 'latin1');
    data.copy(bytes, 8);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
    return bytes;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; y += 1) pixels.copy(rows, y * (width * 4 + 1) + 1, y * width * 4, (y + 1) * width * 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/**
 * How two pictures of the same size differ: the share of pixels with a channel that differs by more than `tolerance`, not counting
 * pixels at an edge, where one pixel to any side has another colour in either picture.
 */
export function differing(one, other, tolerance) {
  if (one.width !== other.width || one.height !== other.height) {
    throw new Error(`${one.width}x${one.height} and ${other.width}x${other.height} cannot be compared`);
  }
  const { width, height } = one;
  const far = (a, i, b, j, most) => [0, 1, 2].some((channel) => Math.abs(a.pixels[i + channel] - b.pixels[j + channel]) > most);
  let [counted, wrong] = [0, 0];
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = (y * width + x) * 4;
      const around = [at - 4, at + 4, at - width * 4, at + width * 4];
      const isEdge = [one, other].some((picture) => around.some((next) => far(picture, at, picture, next, 24)));
      if (isEdge) continue;
      counted += 1;
      if (far(one, at, other, at, tolerance)) wrong += 1;
    }
  }
  return { share: wrong / Math.max(1, counted), counted: counted / (width * height) };
}
