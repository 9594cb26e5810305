// The programs of `xtask/tools`.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 };

/**
 * Runs a program to its end, whatever that is. It is in the folder MESHWRIGHT_TOOLS, or is built with the features of the workspace, so that
 * libraries are built once.
 */
export function spawnTool(name, args) {
  const { MESHWRIGHT_TOOLS } = process.env;
  return spawnSync(MESHWRIGHT_TOOLS ? join(MESHWRIGHT_TOOLS, name) : build(name), args, options);
}

/** Builds a program and returns its path. */
function build(name) {
  const words = ['build', '--quiet', '--workspace', '--bin', name, '--message-format=json'];
  const messages = execFileSync('cargo', words, options).trim().split('\n').map((line) => JSON.parse(line));
  const { executable } = messages.find(({ target, executable }) => executable && target.name === name);
  return executable;
}

/** What a program prints. */
export function runTool(name, args) {
  const { status, error, stdout, stderr } = spawnTool(name, args);
  if (status !== 0) throw new Error(`${name} ended with ${error ?? status}: ${stderr}`);
  return stdout;
}
