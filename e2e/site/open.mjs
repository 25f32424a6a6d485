// open.mjs [--shots DIR] [--site DIR]: opens every page of the built site in a browser, as a reader does, wide, narrow and in the dark.
// DIR has the pages in content/benchmarks and what was built of them in out; without it, it is this folder.
// One line a page and a closing line, as compile.mjs. Needs a Chromium: CHROMIUM, else the usual places.
import { createReadStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { parse as parseYaml } from 'yaml';

import { listen, overflow, report, withBrowser } from '../lib/browser.mjs';
import { cellText } from '../lib/markdown.mjs';
import { findPages, readPage } from '../lib/pages.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.txt': 'text/plain', '.json': 'application/json' };
const LINES = ['p50', 'p95', 'p99'];

const { values } = parseArgs({ options: { shots: { type: 'string' }, site: { type: 'string', default: HERE } } });
const SITE = join(values.site, 'out');
const CONTENT = join(values.site, 'content', 'benchmarks');
const server = await serve();
const origin = `http://127.0.0.1:${server.address().port}`;
await withBrowser({}, async (browser) => {
  const tab = await browser.newPage();
  // aborted prefetches are the site's own habit and no fault
  const heard = listen(tab, (url) => url.startsWith(origin));
  const verdicts = [];
  for (const path of findPages(CONTENT)) verdicts.push({ name: relative(CONTENT, path), problems: [...(await open(tab, path)), ...heard.splice(0)] });
  report(verdicts);
});
server.close();

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

async function open(tab, path) {
  const page = readPage(path);
  const folder = relative(CONTENT, dirname(path));
  await tab.setViewportSize({ width: 1280, height: 900 });
  await tab.emulateMedia({ colorScheme: 'light' });
  await tab.goto(`${origin}/benchmarks/${folder}/`, { waitUntil: 'networkidle' });
  const problems = [];
  for (const rule of [titles, table, hostileText, nothingLive, summaryBlock, charts, picture, sidebar]) problems.push(...(await rule(tab, page, folder)));
  await shot(tab, `${folder}/light`);
  for (const [colorScheme, width] of [['dark', 1280], ['light', 390], ['dark', 390]]) {
    await tab.emulateMedia({ colorScheme });
    await tab.setViewportSize({ width, height: 900 });
    const over = await overflow(tab);
    if (over > 0) problems.push(`${colorScheme}, ${width} px: the page is ${over} px wider than the screen`);
    await shot(tab, `${folder}/${colorScheme}-${width}`);
  }
  return problems;
}

function frontMatter(page) {
  const [, yaml] = page.text.match(/^---\r?\n([\s\S]*?)\r?\n---/) ?? [];
  return yaml ? parseYaml(yaml) : {};
}

// The front matter is the generated one, and its title stands above the page and on the browser's tab.
async function titles(tab, page) {
  const { title } = frontMatter(page);
  const generated = page.evidence?.generated?.front_matter?.title ?? title;
  const shown = { 'front matter': title, heading: await tab.$eval('h1', (h1) => h1.innerText.trim()).catch(() => undefined), tab: await tab.title() };
  return Object.entries(shown).filter(([, found]) => found !== generated).map(([where, found]) => `title in the ${where}: expected \`${generated}\`, found \`${found ?? 'nothing'}\``);
}

async function table(tab, page) {
  const rows = new Map(await tab.$$eval('table tbody tr', (rows) => rows.map((row) => Array.from(row.cells, (cell) => cell.innerText.trim())).filter((row) => row.length === 2)));
  // the browser collapses runs of spaces, as it should
  const collapsed = (text) => text.replace(/[ \t]+/g, ' ').replace(/ ?\n ?/g, '\n').trim();
  return Object.entries(page.evidence?.generated?.rows ?? {}).flatMap(([label, markdown]) => {
    const [name, wanted] = [cellText(label), collapsed(cellText(markdown))];
    const found = rows.get(name);
    return found !== undefined && collapsed(found) === wanted ? [] : [`row \`${name}\`: expected \`${wanted}\`, found \`${found ?? 'nothing'}\``];
  });
}

// The names of failed checks stand in the row about errors character for character, whatever they are made of.
async function hostileText(tab, page) {
  const shown = await tab.$$eval('table tbody tr', (rows) => rows.filter((row) => row.cells[0].innerText.trim() === 'Observed errors').map((row) => row.cells[1].textContent).join('\n'));
  const names = (page.evidence?.checks?.by_name ?? []).filter((check) => check.fails > 0 && check.name).map((check) => check.name);
  if (!('Observed errors' in (page.evidence?.generated?.rows ?? {}))) return [];
  return names.filter((name) => !shown.includes(name)).map((name) => `row \`Observed errors\` does not show \`${name}\` as it is`);
}

// Nothing on the page came alive that was text in the data.
async function nothingLive(tab) {
  const live = await tab.$$eval('article *', (all) => all.filter((e) => /^(script|iframe|object|embed)$/i.test(e.nodeName) || [...e.attributes].some((a) => /^on/i.test(a.name))).map((e) => e.nodeName.toLowerCase()));
  return live.map((name) => `has a live \`<${name}>\``);
}

// k6's summary stands in a code block, character for character.
async function summaryBlock(tab, page) {
  const lines = (text) => text.split(/\r?\n/).map((line) => line.trimEnd()).join('\n').trim();
  const summary = page.evidence?.k6?.summary_text;
  if (!summary) return [];
  const blocks = await tab.$$eval('article pre', (all) => all.map((pre) => pre.textContent));
  return blocks.some((block) => lines(block).includes(lines(summary))) ? [] : ['no code block holds the k6 summary as it is'];
}

// The run's own picture, where the page has it, is there and as wide as the page has room for.
async function picture(tab, page) {
  const wanted = (page.text.match(/!\[[^\]]*\]\(\.\/latency\.svg\)/g) ?? []).length;
  // it is fetched when a reader comes near it; one that cannot be shown has no width
  await tab.$$eval('article img', (images) => Promise.all(images.map((image) => Object.assign(image, { loading: 'eager' }).decode().catch(() => {}))));
  const widths = await tab.$$eval('article img', (images) => images.map((image) => (image.complete && image.naturalWidth ? Math.round(image.getBoundingClientRect().width) : 0)));
  const seen = widths.filter((width) => width > 300).length;
  return seen === wanted ? [] : [`pictures: expected ${wanted}, found ${seen} of widths ${widths.join(', ')}`];
}

// The page has its entry, under the name its front matter gives.
async function sidebar(tab, page, folder) {
  const { title, sidebar_label: label } = frontMatter(page);
  const entries = await tab.$$eval('#nd-sidebar a', (links) => links.map((a) => [new URL(a.href).pathname, a.textContent.trim()]));
  const own = entries.filter(([path]) => decodeURIComponent(path) === `/benchmarks/${folder}/`).map(([, text]) => text);
  return own.includes(label ?? title) ? [] : [`sidebar: expected an entry \`${label ?? title}\` for this page, found ${JSON.stringify(own)}`];
}

// For each metric of the chart file three lines, each with a point for every row; a line of one point shows as a dot.
async function charts(tab, page) {
  const wanted = new Map();
  for (const { metric_name } of page.chart ?? []) for (const line of LINES) wanted.set(`${metric_name} ${line}`, (wanted.get(`${metric_name} ${line}`) ?? 0) + 1);
  const read = (all) => all.map((e) => [`${e.closest('[data-metric]').dataset.metric} ${e.dataset.line}`, e.points?.numberOfItems ?? 1]);
  const [drawn, dots] = [new Map(await tab.$$eval('[data-metric] polyline', read)), new Map(await tab.$$eval('[data-metric] circle', read))];
  const names = [...new Set([...wanted.keys(), ...drawn.keys()])].sort();
  const counts = names.filter((name) => wanted.get(name) !== drawn.get(name)).map((name) => `chart line ${name}: expected ${wanted.get(name) ?? 0} points, found ${drawn.get(name) ?? 0}`);
  const unseen = names.filter((name) => wanted.get(name) === 1 && !dots.has(name));
  return [...counts, ...unseen.map((name) => `chart line ${name}: its only point has no dot`)];
}

async function shot(tab, name) {
  if (!values.shots) return;
  mkdirSync(dirname(join(values.shots, name)), { recursive: true });
  await tab.evaluate(() => scrollTo(0, 0));
  await tab.screenshot({ path: join(values.shots, `${name}.png`), fullPage: true });
}
