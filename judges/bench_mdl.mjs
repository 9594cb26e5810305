// How fast MDL is read and written, by us and by others, over the same files in one run.
//
//   node bench_mdl.mjs MODEL.mdx...
//
// Peers get the dialect that they know best and are measured over the files that they accept; ours is single-threaded too.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as war3Model from 'war3-model';

import { runTool, spawnTool } from './tools.mjs';

const require = createRequire(import.meta.url);
const { default: ViewerModel } = require('mdx-m3-viewer/dist/cjs/parsers/mdlx/model.js');

const folder = mkdtempSync(join(tmpdir(), 'meshwright-bench-'));
runTool('mdx_samples', [folder, ...process.argv.slice(2)]);

const viewer = (text) => {
  const model = new ViewerModel();
  model.loadMdl(text);
  return model;
};

function measure(name, dialect, read, write) {
  const sum = { read: [0, 0], write: [0, 0], files: 0, refused: 0 };
  for (const file of readdirSync(folder).filter((file) => file.endsWith(`.${dialect}.mdl`))) {
    const text = readFileSync(join(folder, file), 'latin1');
    try {
      let model;
      let written;
      const best = (act) => {
        let time = Infinity;
        for (let turn = 0; turn < 3; turn++) {
          const start = performance.now();
          act();
          time = Math.min(time, performance.now() - start);
        }
        return time;
      };
      const readTime = best(() => (model = read(text)));
      const writeTime = best(() => (written = write(model)));
      sum.read = [sum.read[0] + text.length, sum.read[1] + readTime];
      sum.write = [sum.write[0] + written.length, sum.write[1] + writeTime];
      sum.files++;
    } catch {
      sum.refused++;
    }
  }
  const rate = ([bytes, time]) => bytes / 1e3 / time;
  return { name, files: sum.files, refused: sum.refused, read: rate(sum.read), write: rate(sum.write) };
}

const rows = [
  measure('war3-model', 'war3-model', war3Model.parseMDL, war3Model.generateMDL),
  measure('mdx-m3-viewer', 'game', viewer, (model) => model.saveMdl()),
];
// It also fails on files that are not ours to judge here.
const output = spawnTool('mdl_roundtrip', [folder]).stdout;
rmSync(folder, { recursive: true });
const ours = (what) => Number(output.match(new RegExp(`^${what} .* ([\\d.]+) MB/s$`, 'm'))[1]);
rows.unshift({ name: 'meshwright', files: Number(output.match(/(\d+) mdx/)[1]), refused: 0, read: ours('read'), write: ours('write') });
for (const row of rows) {
  const ratio = (what) => (rows[0][what] / row[what]).toFixed(1).padStart(6);
  console.log(
    `${row.name.padEnd(14)} ${String(row.files).padStart(4)} files, ${String(row.refused).padStart(3)} refused` +
      `  read ${row.read.toFixed(1).padStart(6)} MB/s (1 :${ratio('read')})  write ${row.write.toFixed(1).padStart(6)} MB/s (1 :${ratio('write')})`,
  );
}
