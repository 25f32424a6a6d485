// What must hold of a rendered page. Each rule returns the sentences that say what does not.
import GithubSlugger from 'github-slugger';
import { parse as parseYaml } from 'yaml';

import { cellText } from './markdown.mjs';
import { render } from './render.mjs';
import { attribute, elementsOf, htmlText, rowsOf } from './tree.mjs';

const RULES = [frontMatter, tableShape, nothingRuns, anchors, chart, chartData, generatedRows, hostileText, summaryBlock];

// Judges one page: `{ html, problems, rows, metrics, seconds }`. What the compiler throws is a problem like any other.
export async function judge(page) {
  let rendered;
  try {
    rendered = await render(page);
  } catch (error) {
    return { html: null, problems: [`does not render: ${String(error.message).split('\n')[0]}`], rows: 0, metrics: 0, seconds: 0 };
  }
  const elements = elementsOf(rendered.html);
  const seen = { ...rendered, elements, table: metricTable(elements, page) };
  const problems = RULES.flatMap((rule) => rule(page, seen));
  const counts = rowsPerMetric(page.chart ?? []);
  return { html: rendered.html, problems, rows: seen.table.size, metrics: counts.size, seconds: page.chart?.length ?? 0 };
}

// The page's metric table as label -> { text, plain cells }: the two-column table with most of the generated labels.
function metricTable(elements, page) {
  const known = new Set(Object.keys(page.evidence?.generated?.rows ?? {}).map(plainLabel));
  const tables = elements.filter((e) => e.tagName === 'table').map((table) => {
    const cells = rowsOf(table).slice(1).filter((row) => row.length === 2);
    return new Map(cells.map((row) => row.map((cell) => htmlText(cell).trim())));
  });
  const score = (table) => [...table.keys()].filter((label) => known.has(label)).length;
  return tables.reduce((best, table) => (score(table) > score(best) ? table : best), tables[0] ?? new Map());
}

const plainLabel = (label) => cellText(label);

function frontMatter(page, seen) {
  if (seen.frontMatter === null) return page.evidence ? ['has no front matter'] : [];
  let fields;
  try {
    fields = parseYaml(seen.frontMatter);
  } catch (error) {
    return [`front matter: ${error.message.split('\n')[0]}`];
  }
  if (typeof fields?.title !== 'string' || !fields.title) return ['front matter: has no `title`'];
  const generated = Object.entries(page.evidence?.generated?.front_matter ?? {});
  return generated.filter(([name, value]) => String(fields[name]) !== value).map(([name, value]) => differs(`front matter \`${name}\``, value, fields[name]));
}

function tableShape(_page, seen) {
  return seen.tables.flatMap(([header, ...rows]) =>
    rows.filter((row) => row.cells !== header.cells).map((row) => `line ${row.line}: table row of ${row.cells} cells under a header of ${header.cells}`),
  );
}

function nothingRuns(_page, seen) {
  const expressions = seen.expressions.map(({ place, code }) => `${place}: \`{${code}}\` would be evaluated`);
  const active = seen.elements.filter((e) => ['script', 'iframe', 'object', 'style'].includes(e.tagName) || e.attrs.some((a) => /^on/i.test(a.name)));
  return [...expressions, ...active.map((e) => `has a live \`<${e.tagName}>\``)];
}

function anchors(_page, seen) {
  const slugger = new GithubSlugger();
  const headings = new Set(seen.elements.filter((e) => /^h[1-6]$/.test(e.tagName)).map((e) => slugger.slug(htmlText(e))));
  const targets = seen.elements.map((e) => attribute(e, 'href')).filter((href) => href?.startsWith('#') && href.length > 1);
  return targets.filter((href) => !headings.has(decodeURIComponent(href.slice(1))) && !href.startsWith('#user-content-')).map((href) => `link \`${href}\` has no heading`);
}

function rowsPerMetric(rows) {
  const counts = new Map();
  for (const row of rows) counts.set(row.metric_name, (counts.get(row.metric_name) ?? 0) + 1);
  return counts;
}

// Every metric of the chart file reaches the component with all its rows.
function chart(page, seen) {
  if (page.format === 'md' || !page.chart) return [];
  const drawn = new Map(seen.elements.filter((e) => attribute(e, 'data-metric')).map((e) => [attribute(e, 'data-metric'), Number(attribute(e, 'data-rows'))]));
  if (!seen.elements.some((e) => attribute(e, 'data-benchmark-chart') !== undefined)) return ['does not show its chart'];
  const wanted = rowsPerMetric(page.chart);
  const names = [...new Set([...wanted.keys(), ...drawn.keys()])].sort();
  return names.filter((name) => wanted.get(name) !== drawn.get(name)).map((name) => differs(`chart rows of \`${name}\``, wanted.get(name), drawn.get(name)));
}

// The rows of the chart file have what the site's component reads, in order of time, then metric.
function chartData(page) {
  const problems = [];
  let before = null;
  for (const [index, row] of (page.chart ?? []).entries()) {
    const place = `output.json row ${index + 1}`;
    const time = Date.parse(String(row.timestamp).replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
    if (typeof row.metric_name !== 'string' || Number.isNaN(time)) problems.push(`${place}: has no metric or time`);
    if (![row.p50, row.p95, row.p99].every(Number.isFinite)) problems.push(`${place}: a quantile is no number`);
    else if (row.p50 > row.p95 || row.p95 > row.p99) problems.push(`${place}: quantiles fall`);
    if (page.evidence && before && (time < before.time || (time === before.time && row.metric_name <= before.name))) problems.push(`${place}: out of order`);
    before = { time, name: row.metric_name };
  }
  return problems.slice(0, 3);
}

// Each generated row stands on the page, and reads as its Markdown does without MDX.
function generatedRows(page, seen) {
  return Object.entries(page.evidence?.generated?.rows ?? {}).flatMap(([label, markdown]) => {
    try {
      const [name, wanted] = [plainLabel(label), cellText(markdown)];
      const found = seen.table.get(name);
      return found === wanted ? [] : [differs(`row \`${name}\``, wanted, found)];
    } catch (error) {
      return [`row \`${label}\`: ${error.message}`];
    }
  });
}

// What the server or the script's author wrote stands in the row about errors character for character: the name of each
// failed check always, an error text where the row quotes it.
function hostileText(page, seen) {
  const row = seen.table.get('Observed errors');
  if (row === undefined) return [];
  const checks = (page.evidence?.checks?.by_name ?? []).filter((check) => check.fails > 0 && check.name).map((check) => check.name);
  const errors = (page.evidence?.populations ?? []).map((population) => population.error).filter((text) => text && letters(row).includes(letters(text)));
  return [...checks, ...errors].filter((text) => !row.includes(text)).map((text) => `row \`Observed errors\` does not show \`${text}\` as it is`);
}

// A text without what Markdown could take for markup.
const letters = (text) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

// k6's summary stands in a code block, character for character.
function summaryBlock(page, seen) {
  const lines = (text) => text.split(/\r?\n/).map((line) => line.trimEnd()).join('\n').trim();
  const summary = page.evidence?.k6?.summary_text;
  if (!summary) return [];
  const blocks = seen.elements.filter((e) => e.tagName === 'pre').map((e) => lines(htmlText(e)));
  return blocks.some((block) => block.includes(lines(summary))) ? [] : ['no code block holds the k6 summary as it is'];
}

function differs(what, wanted, found) {
  const shown = (value) => (value === undefined ? 'nothing' : `\`${String(value).replaceAll('\n', '⏎')}\``);
  return `${what}: expected ${shown(wanted)}, found ${shown(found)}`;
}
