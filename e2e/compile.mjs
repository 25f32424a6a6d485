// compile.mjs [--html OUT] DIR...: opens every page below the folders as a docs site would and checks what a reader gets.
// One line a page, then a closing line. Exit code 0: all passed, 1: some did not, 2: nothing to check.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { judge } from './lib/judge.mjs';
import { findPages, readPage } from './lib/pages.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { html: { type: 'string' } } });
const missing = positionals.filter((path) => !existsSync(path));
const paths = positionals.filter((path) => existsSync(path)).flatMap(findPages);

for (const path of missing) console.error(`error: \`${path}\`: no such file or folder`);
if (missing.length || !paths.length) {
  console.error('error: no pages to check');
  process.exit(2);
}

let failed = 0;
for (const path of paths) {
  const verdict = await judgeFile(path);
  if (verdict.problems.length) failed += 1;
  console.log(line(path, verdict));
  if (values.html && verdict.html !== null) save(path, verdict.html);
}
console.log(`${paths.length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

async function judgeFile(path) {
  try {
    return await judge(readPage(path));
  } catch (error) {
    return { html: null, problems: [error.message] };
  }
}

function line(path, verdict) {
  if (verdict.problems.length) return [`FAIL ${path}`, ...verdict.problems.map((problem) => `     ${problem}`)].join('\n');
  return `ok   ${path}: ${verdict.rows} rows, ${verdict.metrics} metrics, ${verdict.seconds} chart rows`;
}

function save(path, html) {
  mkdirSync(values.html, { recursive: true });
  writeFileSync(join(values.html, `${path.replace(/^[./]+/, '').replaceAll('/', '.')}.html`), html);
}
