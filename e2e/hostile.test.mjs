// The page check can fail: each test breaks a good page in one way and names the complaint it must draw.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { judge } from './lib/judge.mjs';
import { cellText } from './lib/markdown.mjs';
import { readPage } from './lib/pages.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const GOOD = join(HERE, 'test-pages', 'good');
const work = mkdtempSync(join(tmpdir(), 'sweepdoc-e2e-'));
after(() => rmSync(work, { recursive: true }));

// Judges the good page after `edits`: file name -> function from text to text. An edit that changes nothing is a fault of the test.
async function judged(edits) {
  const dir = mkdtempSync(join(work, 'page-'));
  cpSync(GOOD, dir, { recursive: true });
  for (const [name, edit] of Object.entries(edits)) {
    const before = readFileSync(join(dir, name), 'utf8');
    const changed = edit(before);
    assert.notEqual(changed, before, `the edit of ${name} changes nothing`);
    writeFileSync(join(dir, name), changed);
  }
  return { dir, ...(await judge(readPage(join(dir, 'index.mdx')))) };
}

const swap = (from, to) => (text) => text.split(from).join(to);
// the same slip in page and memory, as one faulty escape function would make it
const swapBoth = (from, to) => ({ 'index.mdx': swap(from, to), 'evidence.json': swap(JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1)) });

test('the good page passes', async () => {
  const { problems, rows, metrics, seconds } = await judge(readPage(join(GOOD, 'index.mdx')));
  assert.deepEqual({ problems, rows, metrics, seconds }, { problems: [], rows: 8, metrics: 2, seconds: 3 });
});

const BREAKS = [
  ['an unescaped brace', swapBoth('\\{status\\}', '{status}'), /`status|status is not defined/],
  ['an expression that evaluates', swapBoth('\\{1+1\\}', '{1+1}'), /`\{1\+1\}` would be evaluated/],
  ['an unescaped angle before a digit', { 'index.mdx': swap('Five of', 'At <200ms five of') }, /does not render: Unexpected character `2`/],
  ['an unescaped angle before a letter', { 'index.mdx': swap('\\<angles\\>', '<angles>') }, /does not render: Expected a closing tag/],
  ['an unclosed break', { 'index.mdx': swap('vCPU: 2<br/>', 'vCPU: 2<br>') }, /does not render: Expected a closing tag/],
  ['an HTML comment', { 'index.mdx': swap('## Results', '<!-- marker -->\n\n## Results') }, /does not render: Unexpected character `!`/],
  ['a cell cut at a bare bar, in the page', { 'index.mdx': swap('\\<200\\> a\\|b', '\\<200\\> a|b') }, /table row of 3 cells under a header of 2/],
  ['a cell cut at a bare bar, in page and memory', swapBoth('\\<200\\> a\\|b', '\\<200\\> a|b'), /is not one table cell/],
  ['literal stars taken for emphasis', swapBoth('\\*star\\*', '*star*'), /does not show `\*star\* _under_ `tick`` as it is/],
  ['literal tildes taken for deletion', swapBoth('\\~\\~x\\~\\~', '~~x~~'), /does not show `dial <nil>: .* as it is/],
  ['a literal backslash lost', { 'index.mdx': swap('a\\\\b', 'ab') }, /row `Observed errors`: expected/],
  ['a row with another value', { 'index.mdx': swap('| VUs | 4 |', '| VUs | 5 |') }, /row `VUs`: expected `4`, found `5`/],
  ['a row that is gone', { 'index.mdx': swap('| VUs | 4 |\n', '') }, /row `VUs`: expected `4`, found nothing/],
  ['a line break lost in a cell', { 'index.mdx': swap('**Memory: 4 GB**<br />', '**Memory: 4 GB** ') }, /row `Shop container specification`/],
  ['a fence that a check name closes', { 'index.mdx': swap('````', '```') }, /no code block holds the k6 summary|does not render/],
  ['a summary that is cut', { 'index.mdx': swap('    ✗ p95 <5s {1+1}\n', '') }, /no code block holds the k6 summary/],
  ['a table without its delimiter row', { 'index.mdx': swap('| :--- | :--- |\n', '') }, /row `Test start`: expected/],
  ['a link to a heading that is not there', { 'index.mdx': swap('## k6 output', '## Output') }, /link `#k6-output` has no heading/],
  ['front matter that is no YAML', { 'index.mdx': swap('sidebar_label: search', 'sidebar_label: "search') }, /front matter: /],
  ['front matter with another title', { 'index.mdx': swap('title: "search', 'title: "sign in') }, /front matter `title`: expected/],
  ['a chart that gets fewer rows', { 'index.mdx': swap('{OutputSource}', '{OutputSource.slice(1)}') }, /chart rows of `search_duration`: expected `2`, found `1`/],
  ['a page without its chart', { 'index.mdx': swap('<BenchmarkChart testResults={OutputSource} />', '') }, /does not show its chart/],
  ['chart rows out of order', { 'output.json': swap('17:04:46', '17:04:44') }, /output.json row 3: out of order/],
  ['chart quantiles that fall', { 'output.json': swap('"p95":120.4', '"p95":90.4') }, /output.json row 1: quantiles fall/],
  ['an import of something else', { 'index.mdx': swap('## Results', 'import x from "node:fs";\n\n## Results') }, /imports `node:fs`/],
  ['a statement that runs', { 'index.mdx': swap('## Results', 'export const x = 1;\n\n## Results') }, /`\{export const x = 1;?\}` would be evaluated/],
  ['a live script', { 'index.mdx': swap('## Results', '<script src="x.js" />\n\n## Results') }, /has a live `<script>`/],
];

for (const [what, edits, complaint] of BREAKS) {
  test(`the check refuses ${what}`, async () => {
    const { problems } = await judged(edits);
    assert.ok(problems.some((problem) => complaint.test(problem)), `no complaint like ${complaint}: ${JSON.stringify(problems)}`);
  });
}

test('the command counts pages and exits 1 when one fails, 0 when none does, 2 without pages', async () => {
  const { dir } = await judged({ 'index.mdx': swap('\\{status\\}', '{status}') });
  const command = (...paths) => spawnSync(process.execPath, [join(HERE, 'compile.mjs'), ...paths], { encoding: 'utf8' });
  const bad = command(GOOD, dir);
  assert.equal(bad.status, 1, bad.stderr);
  assert.match(bad.stdout, /\n1 passed, 1 failed\n$/);
  assert.equal(command(GOOD).status, 0);
  assert.equal(command(mkdtempSync(join(work, 'empty-'))).status, 2);
});

test('the text of a cell is that of plain Markdown', () => {
  assert.equal(cellText('a\\|b `c\\|d` \\{e\\} {f}<br/>**g** [h](i) &lt;j&gt; \\*k\\*'), 'a|b c|d {e} {f}\ng h <j> *k*');
  assert.throws(() => cellText('a | b'), /is not one table cell/);
  assert.equal(cellText(''), '');
});
