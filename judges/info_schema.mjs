// Whether files that `info --json` printed are as `docs/info.schema.json` says: node info_schema.mjs FILE...
import { readFileSync } from 'node:fs';

import Ajv from 'ajv/dist/2020.js';

const schema = JSON.parse(readFileSync(new URL('../docs/info.schema.json', import.meta.url)));
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
let models = 0;
for (const file of process.argv.slice(2)) {
  const printed = JSON.parse(readFileSync(file));
  if (!validate(printed)) {
    console.error(JSON.stringify(validate.errors.slice(0, 5), null, 1));
    console.log(`${file} does not follow the schema`);
    process.exit(1);
  }
  models += printed.files.length;
}
console.log(`${models} models follow the schema`);
