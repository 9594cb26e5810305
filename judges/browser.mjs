// A headless Chromium that draws pages of a small server on this machine.
//
// Needs a `chromium` on the PATH, or its path in CHROMIUM.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const modules = fileURLToPath(new URL('node_modules/', import.meta.url));
const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.glb': 'model/gltf-binary', '.json': 'application/json' };

/** Finds a texture by the last part of its path, whatever the case and the extension. BLP files come first. */
export async function textureFinder(folders) {
  const names = await Promise.all(folders.map(async (folder) => (await readdir(folder, { recursive: true })).map((name) => join(folder, name))));
  const pictures = names.flat();
  const stem = (path) => basename(path.replaceAll('\\', '/')).toLowerCase().replace(/\.[^.]*$/, '').replace(/~.*$/, '');
  return (name) => pictures.find((path) => stem(path) === stem(name) && /\.blp/i.test(path)) ?? pictures.find((path) => stem(path) === stem(name));
}

/**
 * Starts a server. `pages` maps a path to its text; `file` maps any other path and its query to a file. Packages are below /npm/.
 * Returns its address, and a function that stops it.
 */
export function serve(pages, file) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const page = pages()[pathname];
    const path = pathname.startsWith('/npm/') ? join(modules, pathname.slice(5)) : file(pathname, searchParams);
    try {
      const body = page ?? (await readFile(path ?? ''));
      response.writeHead(200, { 'content-type': TYPES[extname(pathname)] ?? (page ? 'text/html' : 'application/octet-stream') }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  return { address: () => `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

/** A browser with a profile of its own. */
export async function browser(size) {
  const profile = await mkdtemp(join(tmpdir(), 'pictures-'));
  return {
    async screenshot(url, picture) {
      await promisify(execFile)(process.env.CHROMIUM ?? 'chromium', [
        '--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
        `--user-data-dir=${profile}`, `--window-size=${size}`, '--hide-scrollbars', '--virtual-time-budget=20000',
        `--screenshot=${picture}`, url,
      ]).catch((error) => console.log(`${picture}: ${String(error).slice(0, 200)}`));
      console.log(picture);
    },
    close: () => rm(profile, { recursive: true, force: true }),
  };
}
