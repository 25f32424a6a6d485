// pictures.mjs DIR...: opens every SVG below the folders as a page shows it, wide and narrow, light and dark, and measures its texts.
// One line a picture and a closing line. Exit code 0: all passed, 1: some did not, or there are none. Needs a Chromium.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { listen, report, withBrowser } from './lib/browser.mjs';

const VIEWS = [['light', 1280], ['dark', 1280], ['light', 390], ['dark', 390]];
// two boxes may share a pixel of the screen
const SLACK = 1;
const LEAST_CONTRAST = 4.5;
const LARGEST = 150_000;

const pictures = process.argv.slice(2).flatMap(svgs);
await withBrowser({}, async (browser) => {
  const tab = await browser.newPage();
  const heard = listen(tab, (url) => url.startsWith('file:'));
  const verdicts = [];
  for (const path of pictures) verdicts.push({ name: path, problems: await look(tab, heard, path) });
  report(verdicts);
});

function svgs(path) {
  if (!statSync(path).isDirectory()) return path.endsWith('.svg') ? [path] : [];
  return readdirSync(path).filter((name) => name !== 'node_modules').sort().flatMap((name) => svgs(join(path, name)));
}

async function look(tab, heard, path) {
  heard.length = 0;
  const problems = [];
  if (statSync(path).size > LARGEST) problems.push(`has ${statSync(path).size} bytes, expected at most ${LARGEST}`);
  if (/<script|href=|url\(|@import|<foreignObject/i.test(readFileSync(path, 'utf8'))) problems.push('runs or loads something');
  for (const [colorScheme, width] of VIEWS) {
    await tab.emulateMedia({ colorScheme });
    await tab.setViewportSize({ width, height: 900 });
    // the browser refuses what is not well-formed with an error in place of the picture
    await tab.goto(pathToFileURL(resolve(path)).href);
    const { broken, texts, box } = await tab.evaluate(measure);
    if (broken) return [`is not well-formed: ${broken}`];
    const view = `${colorScheme}, ${width} px`;
    if (!texts.length) problems.push(`${view}: no text can be seen`);
    problems.push(...overlaps(texts).map(([a, b]) => `${view}: \`${a}\` and \`${b}\` overlap`));
    problems.push(...texts.filter((t) => t.left < -SLACK || t.top < -SLACK || t.right > box.width + SLACK || t.bottom > box.height + SLACK).map((t) => `${view}: \`${t.text}\` lies outside`));
    problems.push(...texts.filter((t) => contrast(t.colour, box.colour) < LEAST_CONTRAST).map((t) => `${view}: \`${t.text}\` has too little contrast`));
  }
  return [...problems, ...heard];
}

// In the browser: the boxes of the texts that can be seen, and what they stand on.
function measure() {
  const svg = document.documentElement;
  const error = document.querySelector('parsererror');
  if (error || svg.nodeName !== 'svg') return { broken: (error ?? svg).textContent.slice(0, 200), texts: [], box: {} };
  const channels = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
  const visible = [...document.querySelectorAll('text')].filter((text) => text.getClientRects().length);
  const texts = visible.map((text) => {
    const { x, y, width, height } = text.getBBox();
    return { text: text.textContent, left: x, right: x + width, top: y, bottom: y + height, colour: channels(getComputedStyle(text).fill) };
  });
  const { width, height } = svg.viewBox.baseVal;
  return { broken: null, texts, box: { width, height, colour: channels(getComputedStyle(document.querySelector('rect.bg')).fill) } };
}

function overlaps(texts) {
  const shared = (a, b) => Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  return texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => shared(a, b) > SLACK).map((b) => [a.text, b.text]));
}

// After WCAG 2.2.
function contrast(a, b) {
  const luminance = (channels) => {
    const [r, g, b] = channels.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
