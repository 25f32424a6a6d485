// A Chromium without a display, a sandbox of its own or any habit of asking the network, and what a reader would notice of it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

const FLAGS = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

// The browser's program: CHROMIUM, else the usual places; null when there is none.
export function program() {
  return [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path)) ?? null;
}

// Runs `work` with a fresh browser; `options` are playwright's.
export async function withBrowser(options, work) {
  const executablePath = program();
  if (!executablePath) throw new Error('no Chromium found: install one or set CHROMIUM to its path');
  const profile = mkdtempSync(join(tmpdir(), 'sweepdoc-browser-'));
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS, headless: true, chromiumSandbox: false, ...options });
  try {
    return await work(browser);
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

// Collects what a tab complains of; requests to addresses that `isOwn` refuses are complaints too.
export function listen(tab, isOwn) {
  const heard = [];
  tab.on('console', (message) => message.type() === 'error' && heard.push(`console: ${message.text()}`));
  tab.on('pageerror', (error) => heard.push(`page error: ${error.message}`));
  tab.on('response', (response) => response.status() >= 400 && heard.push(`${response.status()} for ${response.url()}`));
  tab.on('request', (request) => !/^(data|blob):/.test(request.url()) && !isOwn(request.url()) && heard.push(`asks elsewhere: ${request.url()}`));
  return heard;
}

// One line for each thing looked at, then a closing line; the exit code says whether all passed.
export function report(verdicts) {
  let failed = 0;
  for (const { name, problems } of verdicts) {
    if (problems.length) failed += 1;
    console.log(problems.length ? [`FAIL ${name}`, ...problems.map((problem) => `     ${problem}`)].join('\n') : `ok   ${name}`);
  }
  console.log(`${verdicts.length - failed} passed, ${failed} failed`);
  process.exitCode = failed || !verdicts.length ? 1 : 0;
}

// How much wider than its window a page is.
export const overflow = (tab) => tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
