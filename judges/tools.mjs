// The programs of `xtask/tools`.
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 };

/** Runs a program to its end, whatever that is. It is built with the features of the workspace, so that libraries are built once. */
export function spawnTool(name, args, profile = 'dev') {
  const words = ['build', '--quiet', '--workspace', '--bin', name, '--profile', profile, '--message-format=json'];
  const messages = execFileSync('cargo', words, options).trim().split('\n').map((line) => JSON.parse(line));
  const { executable } = messages.find(({ target, executable }) => executable && target.name === name);
  return spawnSync(executable, args, options);
}

/** What a program prints. */
export function runTool(name, args, profile) {
  const { status, error, stdout, stderr } = spawnTool(name, args, profile);
  if (status !== 0) throw new Error(`${name} ended with ${error ?? status}: ${stderr}`);
  return stdout;
}
