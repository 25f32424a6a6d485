// Compiles a page as a docs site does and renders it to static HTML.
import { compile, run } from '@mdx-js/mdx';
import { Parser } from 'acorn';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as runtime from 'react/jsx-runtime';
import rehypeRaw from 'rehype-raw';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';

import { walk } from './tree.mjs';

const CHART_COMPONENT = /(^|\/)benchmark_chart$/;

// Returns `{ html, frontMatter, tables, expressions }` of a page; throws what the compiler or React throws.
//
// `tables` are those of the source, each row with its line and number of cells: in HTML a row with too many cells has lost
// the last ones. `expressions` are those the page would evaluate, with their place.
export async function render(page) {
  const seen = { frontMatter: null, tables: [], expressions: [] };
  const code = await compile(page.text, {
    format: page.format,
    outputFormat: 'function-body',
    remarkPlugins: [remarkFrontmatter, remarkGfm, [observe, seen], replaceImports],
    // what a plain Markdown renderer does with HTML; MDX has none
    rehypePlugins: page.format === 'md' ? [rehypeRaw] : [],
  });
  const { default: Content } = await run(code, { ...runtime, modules: modulesOf(page) });
  return { ...seen, html: renderToStaticMarkup(createElement(Content)) };
}

// remark plugin: notes what only the source shows.
function observe(seen) {
  return (tree) => {
    for (const node of walk(tree)) {
      const place = `${node.position?.start.line}:${node.position?.start.column}`;
      if (node.type === 'yaml') seen.frontMatter = node.value;
      if (node.type === 'table') seen.tables.push(node.children.map((row) => ({ line: row.position.start.line, cells: row.children.length })));
      if (/^mdx(Flow|Text)Expression$/.test(node.type) && node.data?.estree?.body.length) seen.expressions.push({ place, code: node.value });
      if (node.type === 'mdxjsEsm') seen.expressions.push(...statementsThatRun(node, place));
      if (/^mdxJsx(Flow|Text)Element$/.test(node.type)) seen.expressions.push(...attributesThatRun(node, place));
    }
  };
}

// Statements of an ESM block other than imports: a published page has none.
function statementsThatRun(node, place) {
  return node.data.estree.body.filter((s) => s.type !== 'ImportDeclaration').map(() => ({ place, code: node.value.slice(0, 60) }));
}

// Attributes whose value is more than an imported name, spreads included.
function attributesThatRun(node, place) {
  const values = node.attributes.map((a) => (a.type === 'mdxJsxExpressionAttribute' ? a : a.value)).filter((v) => v?.type);
  const isName = (value) => value.data?.estree?.body[0]?.expression?.type === 'Identifier';
  return values.filter((value) => !isName(value)).map((value) => ({ place, code: value.value }));
}

// remark plugin: takes imports from the `modules` given at run time, so that nothing is loaded from outside the page's folder.
function replaceImports() {
  return (tree) => {
    for (const node of walk(tree)) {
      if (node.type === 'mdxjsEsm') node.data.estree.body = node.data.estree.body.flatMap(importAsConst);
    }
  };
}

function importAsConst(statement) {
  if (statement.type !== 'ImportDeclaration') return [statement];
  const module = `arguments[0].modules(${JSON.stringify(statement.source.value)})`;
  const names = statement.specifiers.map((s) => {
    if (s.type === 'ImportNamespaceSpecifier') return `${s.local.name} = ${module}`;
    const imported = s.type === 'ImportDefaultSpecifier' ? 'default' : (s.imported.name ?? s.imported.value);
    return `${s.local.name} = ${module}[${JSON.stringify(imported)}]`;
  });
  const text = names.length ? `const ${names.join(', ')}` : module;
  return Parser.parse(text, { ecmaVersion: 'latest', sourceType: 'module' }).body;
}

// The modules a published page may import: its own chart data and the site's chart component.
function modulesOf(page) {
  return (specifier) => {
    if (specifier === './output.json') {
      if (!page.chart) throw new Error('imports `./output.json`, which is not beside it');
      return { default: page.chart };
    }
    if (CHART_COMPONENT.test(specifier)) return { default: BenchmarkChart, BenchmarkChart };
    throw new Error(`imports \`${specifier}\`, expected \`./output.json\` or a path that ends in \`benchmark_chart\``);
  };
}

// Stands for the site's chart: one element per metric that says how many rows reached it.
function BenchmarkChart({ testResults }) {
  const rows = new Map();
  for (const row of testResults) rows.set(row.metric_name, (rows.get(row.metric_name) ?? 0) + 1);
  const metric = ([name, count]) =>
    createElement('p', { key: name, 'data-metric': name, 'data-rows': count }, `${name}: chart of ${count} seconds`);
  return createElement('div', { 'data-benchmark-chart': '' }, [...rows].map(metric));
}
