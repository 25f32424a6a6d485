// The check of the built site can fail: each test spoils a good site in one way and names the complaint it must draw. Needs a Chromium.
// The site is a stand-in for the built one, made of the same page by the same compiler: a build for every test would take minutes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { readPage } from './lib/pages.mjs';
import { render } from './lib/render.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PICTURE = join(HERE, '..', 'docs', 'browse_catalog.svg');
const TITLE = 'search benchmark of Shop v1.4.0';
const IMAGE = '\n![Latencies over time](./latency.svg)\n';
const work = mkdtempSync(join(tmpdir(), 'sweepdoc-e2e-'));
after(() => rmSync(work, { recursive: true }));

const SPOILT = [
  ['a changed cell', [/<td([^>]*)>4<\/td>/, '<td$1>5</td>'], /row `VUs`: expected `4`, found `5`/],
  ['a row that is gone', [/<tr><td[^>]*>VUs<\/td>.*?<\/tr>/s, ''], /row `VUs`: expected `4`, found `nothing`/],
  ['a chart without one of its points', [/points="0,91\.2 /, 'points="'], /chart line search_duration p50: expected 2 points, found 1/],
  ['a chart without one of its lines', [/<polyline data-line="p99"[^>]*>/, ''], /chart line search_duration p99: expected 2 points, found 0/],
  ['a chart that is gone', [/<figure data-metric="search_duration">.*?<\/figure>/, ''], /chart line search_duration p95: expected 2 points, found 0/],
  ['a chart nobody asked for', [/<\/article>/, '<figure data-metric="x"><svg><polyline data-line="p50" points="0,0 1,1"/></svg></figure></article>'], /chart line x p50: expected 0 points, found 2/],
  ['a line of one point that shows nothing', [/<circle data-line="p95"[^>]*>/, ''], /chart line view_product_duration p95: its only point has no dot/],
  ['no entry in the sidebar', [/<a href="\/benchmarks\/[^"]*">search<\/a>/, ''], /sidebar: expected an entry `search` for this page, found \[\]/],
  ['another name in the sidebar', [/">search<\/a>/, '">sign in</a>'], /sidebar: expected an entry `search` for this page, found \["sign in"\]/],
  ['another title above the page', [/<h1>search/, '<h1>sign in'], /title in the heading: expected `search benchmark of Shop v1\.4\.0`, found `sign in benchmark/],
  ['no title above the page', [/<h1>.*?<\/h1>/, ''], /title in the heading: expected/],
  ['another title on the tab', [/<title>search/, '<title>sign in'], /title in the tab: expected/],
  ['a title changed in the front matter', [/title: "search/, 'title: "sign in'], /title in the front matter: expected/, 'content/index.mdx'],
  ['an error in the console', [/<\/article>/, "</article><script>console.error('hydration failed')</script>"], /console: hydration failed/],
  ['a script that fails', [/<\/article>/, "</article><script>throw new Error('no chart')</script>"], /page error: no chart/],
  ['the name of a check as raw HTML', [/ok \{status\} &lt;200&gt;/, 'ok {status} <b>200</b>'], /row `Observed errors` does not show `ok \{status\} <200> a\|b` as it is/],
  ['the name of a check that was evaluated', [/p95 &lt;5s \{1\+1\} \(1\)/, 'p95 &lt;5s 2 (1)'], /row `Observed errors` does not show `p95 <5s \{1\+1\}` as it is/],
  ['the name of a check that runs', [/<\/table>/, '</table><b onclick="1">ok</b>'], /has a live `<b>`/],
  ['a name in k6\'s block as raw HTML', [/(<pre>.*?ok \{status\} )&lt;200&gt;/s, '$1<b>200</b>'], /no code block holds the k6 summary as it is/],
  ['a figure changed in k6\'s block', [/✓ 456/, '✓ 457'], /no code block holds the k6 summary as it is/],
  ['a picture that is gone', [/<img[^>]*>/, ''], /pictures: expected 1, found 0/],
  ['a picture that leads nowhere', [/latency\.svg/, 'latencies.svg'], /404 for .*latencies\.svg/],
  ['a picture from elsewhere', [/<img /, '<img src="http://127.0.0.1:9/x.svg"><img '], /asks elsewhere: http:\/\/127\.0\.0\.1:9\/x\.svg/],
  ['something wider than the screen', [/<article>/, '<article><div style="width:500px">x</div>'], /light, 390 px: the page is \d+ px wider than the screen/],
];

// One site with a good page and each spoilt one: starting a browser takes longer than opening a page. What was said of each, by folder.
const said = new Map();
let status;
before(async () => {
  for (const [index, [, edit, , file]] of [[], ...SPOILT].entries()) await add(folderOf(index), edit, file);
  const command = spawnSync(process.execPath, [join(HERE, 'site', 'open.mjs'), '--site', work], { encoding: 'utf8' });
  status = command.status;
  for (const [, folder, text] of command.stdout.matchAll(/^(?:ok  |FAIL) (\w+)\/index\.mdx\n((?:(?!ok  |FAIL |\d+ passed).*\n)*)/gm)) said.set(folder, text);
  assert.equal(said.size, SPOILT.length + 1, command.stdout + command.stderr);
});

function folderOf(index) {
  return `page${String(index).padStart(2, '0')}`;
}

// Adds the good page after one edit, of what was built unless another file is named.
async function add(folder, edit, file = 'out/index.html') {
  const [content, out] = ['content', 'out'].map((part) => join(work, part, 'benchmarks', folder));
  cpSync(join(HERE, 'test-pages', 'good'), content, { recursive: true });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(content, 'index.mdx'), readFileSync(join(content, 'index.mdx'), 'utf8') + IMAGE);
  copyFileSync(PICTURE, join(out, 'latency.svg'));
  writeFileSync(join(out, 'index.html'), await built(readPage(join(content, 'index.mdx')), folder));
  if (!edit) return;
  const path = file.startsWith('out/') ? join(out, file.slice(4)) : join(content, file.slice(8));
  const text = readFileSync(path, 'utf8');
  assert.match(text, edit[0], 'the edit changes nothing');
  writeFileSync(path, text.replace(...edit));
}

// The page as the site frames it, with its chart drawn.
async function built(page, folder) {
  const { html } = await render(page);
  const charts = html.replace(/<p data-metric="([^"]*)"[^>]*>[^<]*<\/p>/g, (_, metric) => chart(metric, page.chart.filter((row) => row.metric_name === metric)));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${TITLE}</title><link rel="icon" href="data:,">
<style>pre { overflow: auto } table { display: block; overflow: auto } img, svg { max-width: 100% }</style></head>
<body><nav id="nd-sidebar"><a href="/benchmarks/${folder}/">search</a></nav><article><h1>${TITLE}</h1>${charts}</article></body></html>`;
}

function chart(metric, rows) {
  const line = (name) => `<polyline data-line="${name}" points="${rows.map((row, i) => `${i},${row[name]}`).join(' ')}"/>`;
  const dot = (name) => (rows.length === 1 ? `<circle data-line="${name}" cx="0" cy="${rows[0][name]}" r="3"/>` : '');
  return `<figure data-metric="${metric}"><svg viewBox="0 0 700 180">${['p99', 'p95', 'p50'].map((name) => line(name) + dot(name)).join('')}</svg></figure>`;
}

test('the good page passes and the command fails for the others', () => {
  assert.equal(said.get(folderOf(0)), '');
  assert.equal(status, 1);
});

for (const [index, [what, , complaint]] of SPOILT.entries()) {
  test(`the check refuses a site with ${what}`, () => assert.match(said.get(folderOf(index + 1)), complaint));
}
