// The checks in a browser can fail: each test spoils a good picture or page in one way and names the complaint it must draw. Needs a Chromium.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PICTURE = readFileSync(join(HERE, '..', 'docs', 'browse_catalog.svg'), 'utf8');
const work = mkdtempSync(join(tmpdir(), 'sweepdoc-e2e-'));
after(() => rmSync(work, { recursive: true }));

const command = (script, ...args) => spawnSync(process.execPath, [join(HERE, script), ...args], { encoding: 'utf8' });

function edited(text, [from, to]) {
  assert.match(text, from, 'the edit changes nothing');
  return text.replace(from, to);
}

test('the picture of the README passes', () => {
  const { status, stdout } = command('pictures.mjs', join(HERE, '..', 'docs'));
  assert.equal(status, 0, stdout);
  assert.match(stdout, /\n1 passed, 0 failed\n$/);
});

const SPOILT = [
  ['texts upon each other', [/(<text class="t" x="16" y=")62"/, '$141"'], /1280 px: `browse_catalog` and `2026-.*` overlap/],
  ['texts upon each other on a phone', [/(<text class="t" x="16" y=")63"/, '$138"'], /390 px: `browse_catalog` and `2026-.*` overlap/],
  ['a text outside', [/<text class="h" x="16"/, '<text class="h" x="700"'], /`browse_catalog` lies outside/],
  ['a text above its upper border', [/(<text class="h" x="16" y=")38"/, '$15"'], /1280 px: `browse_catalog` lies outside/],
  ['a text that can hardly be read', [/\.m\{fill:#59636e\}/, '.m{fill:#aaaaaa}'], /light, 1280 px: `.*` has too little contrast/],
  ['a text that can hardly be read in the dark', [/\.m\{fill:#9ca5af\}/, '.m{fill:#444444}'], /dark, 390 px: `.*` has too little contrast/],
  ['broken XML', [/<\/desc>/, '</dsc>'], /is not well-formed/],
  ['something that runs', [/<\/style>/, '</style><script>1</script>'], /runs or loads something/],
  ['too large a file', [/<\/svg>/, `<!--${'x'.repeat(200_000)}--></svg>`], /bytes, expected at most/],
];

for (const [what, edit, complaint] of SPOILT) {
  test(`the check refuses a picture with ${what}`, () => {
    const file = join(mkdtempSync(join(work, 'picture-')), 'x.svg');
    writeFileSync(file, edited(PICTURE, edit));
    const { status, stdout } = command('pictures.mjs', file);
    assert.equal(status, 1, stdout);
    assert.match(stdout, complaint);
  });
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:"><title>t</title></head>
<body><a href="#main">Skip</a><main id="main" tabindex="-1"><h1>t</h1><p>text <a href="b.html">b</a></p><img src="x.svg" alt="a picture" style="max-width:100%"></main></body></html>`;

const BROKEN = [
  ['no language', [/ lang="en"/, ''], /html-has-lang/],
  ['a picture without words', [/ alt="a picture"/, ''], /image-alt/],
  ['a link that leads nowhere', [/b\.html/, 'c.html'], /leads nowhere/],
  ['a link out of the preview', [/b\.html/, '../../b.html'], /leads nowhere/],
  ['something wider than the screen', [/<h1>/, '<h1 style="width:1400px">'], /wider than the screen/],
  ['cells of the index off the screen', [/<p>text/, '<div class="index" style="overflow:auto" tabindex="0"><table style="min-width:54rem"><thead><tr><th>target</th><th>check</th></tr></thead><tbody><tr><th scope="row">search</th><td>2 errors</td></tr></tbody></table></div><p>text'], /light, 360 px: `search` and 1 more cells of the index lie off the screen/],
  ['no policy', [/default-src 'none'; /, ''], /has no content security policy/],
  ['a picture its policy keeps out', [/img-src 'self' file:/, 'img-src https:'], /does not show/],
  ['a picture from elsewhere', [/x\.svg/, 'http://127.0.0.1:9/x.svg'], /asks elsewhere/],
  ['no way past the navigation', [/<a href="#main">Skip<\/a>/, ''], /expected a link to the content first/],
];

function preview(html) {
  const folder = mkdtempSync(join(work, 'preview-'));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of [['index.html', html], ['b.html', PAGE], ['x.svg', PICTURE]]) writeFileSync(join(folder, name), text);
  return command('preview.mjs', folder);
}

test('a good preview passes, also with a link to the web', () => {
  const { status, stdout } = preview(PAGE.replace('</p>', ' <a href="https://web.example/x.html">web</a></p>'));
  assert.equal(status, 0, stdout);
});

for (const [what, edit, complaint] of BROKEN) {
  test(`the check refuses a preview with ${what}`, () => {
    const { status, stdout } = preview(edited(PAGE, edit));
    assert.equal(status, 1, stdout);
    assert.match(stdout, complaint);
  });
}
