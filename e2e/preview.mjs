// preview.mjs [--shots DIR] PREVIEW: opens every page of a preview from the disk, as a reader does, and with an accessibility checker.
// One line a page and a closing line. Exit code 0: all passed, 1: some did not. Needs a Chromium.
import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { listen, overflow, report, withBrowser } from './lib/browser.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEWS = [['light', 1280], ['dark', 1280], ['light', 360], ['dark', 360]];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { shots: { type: 'string' } } });
const root = resolve(positionals[0] ?? 'preview');
const home = pathToFileURL(`${root}/`).href;

// the page's own policy would keep the checker out; it is looked at in the text instead
await withBrowser({ bypassCSP: true }, async (browser) => {
  const tab = await browser.newPage();
  const heard = listen(tab, (url) => url.startsWith(home));
  const verdicts = [];
  for (const path of pages(root)) verdicts.push({ name: relative(root, path), problems: [...(await look(tab, path)), ...heard.splice(0)] });
  report(verdicts);
});
// and once as it is, with its policy: pictures must come through it
await withBrowser({}, async (browser) => {
  const tab = await browser.newPage();
  const heard = listen(tab, (url) => url.startsWith(home));
  for (const path of pages(root)) {
    await tab.goto(pathToFileURL(path).href);
    const missing = await tab.$$eval('img', (images) => images.filter((image) => !image.naturalWidth).map((image) => image.src));
    heard.push(...missing.map((source) => `${relative(root, path)}: does not show ${source}`));
  }
  heard.forEach((problem) => console.log(`FAIL ${problem}`));
  if (heard.length) process.exitCode = 1;
});

function pages(path) {
  if (!statSync(path).isDirectory()) return path.endsWith('.html') ? [path] : [];
  return readdirSync(path).sort().flatMap((name) => pages(join(path, name)));
}

async function look(tab, path) {
  const problems = [];
  if (!readFileSync(path, 'utf8').includes("default-src 'none'")) problems.push('has no content security policy');
  for (const [colorScheme, width] of VIEWS) {
    await tab.emulateMedia({ colorScheme });
    await tab.setViewportSize({ width, height: 900 });
    await tab.goto(pathToFileURL(path).href);
    const view = `${colorScheme}, ${width} px`;
    const over = await overflow(tab);
    if (over > 0) problems.push(`${view}: the page is ${over} px wider than the screen`);
    problems.push(...(await offScreen(tab)).map((problem) => `${view}: ${problem}`));
    problems.push(...(await accessible(tab)).map((problem) => `${view}: ${problem}`));
    await shot(tab, `${relative(root, path)}.${colorScheme}-${width}`);
  }
  return [...problems, ...(await keyboard(tab)), ...(await links(tab))];
}

// The table of all pages is read without scrolling sideways.
async function offScreen(tab) {
  const cells = await tab.$$eval('.index tbody :is(th, td)', (all) => all.filter((cell) => cell.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((cell) => cell.innerText));
  return cells.slice(0, 1).map((cell) => `\`${cell.trim()}\` and ${cells.length - 1} more cells of the index lie off the screen`);
}

async function accessible(tab) {
  await tab.evaluate(AXE);
  const { violations } = await tab.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0].target.join(' ')} and ${nodes.length - 1} more`);
}

// The first stop of a keyboard leads to the content.
async function keyboard(tab) {
  await tab.keyboard.press('Tab');
  const first = await tab.evaluate(() => document.activeElement.getAttribute('href'));
  if (first !== '#main') return [`keyboard: expected a link to the content first, found ${first}`];
  await tab.keyboard.press('Enter');
  const there = await tab.evaluate(() => document.activeElement.id);
  return there === 'main' ? [] : [`keyboard: the link to the content leads to \`${there}\``];
}

// Links within the preview lead to files and places that exist; those to the web are the reader's.
async function links(tab) {
  const dead = await tab.$$eval('a[href^="#"]', (all) => all.map((a) => a.getAttribute('href')).filter((href) => !document.getElementById(decodeURIComponent(href.slice(1)))));
  const files = await tab.$$eval('a[href$=".html"]', (all) => all.map((a) => a.href));
  const missing = files.filter((url) => url.startsWith('file:')).filter((url) => !url.startsWith(home) || !statSync(new URL(url), { throwIfNoEntry: false })?.isFile());
  return [...dead, ...missing].map((href) => `link \`${href}\` leads nowhere`);
}

async function shot(tab, name) {
  if (!values.shots) return;
  mkdirSync(dirname(join(values.shots, name)), { recursive: true });
  await tab.screenshot({ path: join(values.shots, `${name}.png`), fullPage: true });
}
