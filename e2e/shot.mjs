// shot.mjs [--dark] [--width N] PAGE OUT.png: a picture of a page, for a person to look at.
// PAGE is a page (.mdx, .md) or HTML, a fragment such as `compile.mjs --html` writes or a whole document. Needs a Chromium:
// CHROMIUM, else the usual places. Exit code 2 when there is none or the page does not render.
import { readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { program, withBrowser } from './lib/browser.mjs';
import { readPage } from './lib/pages.mjs';
import { render } from './lib/render.mjs';

const CSS = `
  :root { color-scheme: light dark; --line: #d0d7de; --soft: #f6f8fa; }
  @media (prefers-color-scheme: dark) { :root { --line: #444c56; --soft: #22272e; } }
  body { font: 16px/1.55 system-ui, "DejaVu Sans", sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { border: 1px solid var(--line); padding: .4rem .7rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
  td:first-child { overflow-wrap: normal; min-width: 11rem; }
  pre { background: var(--soft); padding: 1rem; overflow-x: auto; font-size: 12px; line-height: 1.35; }
  code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
  img, svg { max-width: 100%; height: auto; }`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dark: { type: 'boolean' }, width: { type: 'string', default: '1100' } },
});
const [path, out] = positionals;
if (!path || !out) fail('usage: shot.mjs [--dark] [--width N] PAGE OUT.png');
if (!program()) fail('no Chromium found: install one or set CHROMIUM to its path');

await shoot(document(path, await bodyOf(path).catch((error) => fail(`${path}: ${error.message}`))));

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

async function bodyOf(file) {
  return extname(file) in { '.mdx': 1, '.md': 1 } ? (await render(readPage(file))).html : readFileSync(file, 'utf8');
}

// A whole document stays as it is; a fragment gets a frame, with pictures taken from the page's own folder.
function document(file, body) {
  if (/<html[\s>]/i.test(body)) return body;
  const base = pathToFileURL(`${dirname(resolve(file))}/`).href;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><base href="${base}"><style>${CSS}</style></head><body>${body}</body></html>`;
}

async function shoot(html) {
  const view = { colorScheme: values.dark ? 'dark' : 'light', viewport: { width: Number(values.width), height: 900 } };
  await withBrowser(view, async (browser) => {
    const page = await browser.newPage();
    await page.setContent(html, { waitUntil: 'load' });
    await page.screenshot({ path: out, fullPage: true });
  });
}
