// open.mjs [--shots DIR]: opens every page of the built site in a browser, as a reader does, wide, narrow and in the dark.
// One line a page and a closing line, as compile.mjs. Needs a Chromium: CHROMIUM, else /usr/bin/chromium.
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';

import { cellText } from '../lib/markdown.mjs';
import { findPages, readPage } from '../lib/pages.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SITE = join(HERE, 'out');
const CONTENT = join(HERE, 'content', 'benchmarks');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.txt': 'text/plain', '.json': 'application/json' };
const FLAGS = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const LINES = ['p50', 'p95', 'p99'];

const { values } = parseArgs({ options: { shots: { type: 'string' } } });
const server = await serve();
const origin = `http://127.0.0.1:${server.address().port}`;
const profile = mkdtempSync(join(tmpdir(), 'sweepdoc-site-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS,
  headless: true,
  chromiumSandbox: false,
});
const tab = await browser.newPage();
const complaints = listen(tab);

let failed = 0;
const paths = findPages(CONTENT);
for (const path of paths) {
  const problems = await open(path);
  if (problems.length) failed += 1;
  console.log(problems.length ? [`FAIL ${relative(CONTENT, path)}`, ...problems.map((p) => `     ${p}`)].join('\n') : `ok   ${relative(CONTENT, path)}`);
}
await browser.close();
server.close();
rmSync(profile, { recursive: true, force: true });
console.log(`${paths.length - failed} passed, ${failed} failed`);
process.exitCode = failed || !paths.length ? 1 : 0;

function serve() {
  const listener = createServer((request, response) => {
    const path = join(SITE, normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => listener.listen(0, '127.0.0.1', () => resolve(listener)));
}

// Collects what a reader's browser complains of. Aborted prefetches are the site's own habit and no fault.
function listen(page) {
  const heard = [];
  page.on('console', (message) => message.type() === 'error' && heard.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => heard.push(`page error: ${error.message}`));
  page.on('response', (response) => response.status() >= 400 && heard.push(`${response.status()} for ${response.url()}`));
  page.on('request', (request) => !/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin) && heard.push(`asks another host: ${request.url()}`));
  return heard;
}

async function open(path) {
  const page = readPage(path);
  const folder = relative(CONTENT, dirname(path));
  complaints.length = 0;
  await tab.setViewportSize({ width: 1280, height: 900 });
  await tab.emulateMedia({ colorScheme: 'light' });
  await tab.goto(`${origin}/benchmarks/${folder}/`, { waitUntil: 'networkidle' });
  const problems = [...(await table(page)), ...(await charts(page))];
  await shot(`${folder}/light`);
  for (const [colorScheme, width] of [['dark', 1280], ['light', 390]]) {
    await tab.emulateMedia({ colorScheme });
    await tab.setViewportSize({ width, height: 900 });
    const over = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (over > 0) problems.push(`${colorScheme}, ${width} px: the page is ${over} px wider than the screen`);
    await shot(`${folder}/${colorScheme}-${width}`);
  }
  return [...problems, ...complaints];
}

async function table(page) {
  const rows = new Map(await tab.$$eval('table tbody tr', (rows) => rows.map((row) => Array.from(row.cells, (cell) => cell.innerText.trim())).filter((row) => row.length === 2)));
  // the browser collapses runs of spaces, as it should
  const collapsed = (text) => text.replace(/[ \t]+/g, ' ').replace(/ ?\n ?/g, '\n').trim();
  return Object.entries(page.evidence?.generated?.rows ?? {}).flatMap(([label, markdown]) => {
    const [name, wanted] = [cellText(label), collapsed(cellText(markdown))];
    const found = rows.get(name);
    return found !== undefined && collapsed(found) === wanted ? [] : [`row \`${name}\`: expected \`${wanted}\`, found \`${found ?? 'nothing'}\``];
  });
}

// For each metric of the chart file three lines, each with a point for every row.
async function charts(page) {
  const wanted = new Map();
  for (const { metric_name } of page.chart ?? []) for (const line of LINES) wanted.set(`${metric_name} ${line}`, (wanted.get(`${metric_name} ${line}`) ?? 0) + 1);
  const drawn = new Map(await tab.$$eval('[data-metric] polyline', (all) => all.map((l) => [`${l.closest('[data-metric]').dataset.metric} ${l.dataset.line}`, l.points.numberOfItems])));
  const names = [...new Set([...wanted.keys(), ...drawn.keys()])].sort();
  return names.filter((name) => wanted.get(name) !== drawn.get(name)).map((name) => `chart line ${name}: expected ${wanted.get(name) ?? 0} points, found ${drawn.get(name) ?? 0}`);
}

async function shot(name) {
  if (!values.shots) return;
  mkdirSync(dirname(join(values.shots, name)), { recursive: true });
  await tab.evaluate(() => scrollTo(0, 0));
  await tab.screenshot({ path: join(values.shots, `${name}.png`), fullPage: true });
}
