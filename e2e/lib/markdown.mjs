// What a table cell's Markdown says, read without MDX: the second opinion a rendered page is compared with.
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

import { walk } from './tree.mjs';

const parser = unified().use(remarkParse).use(remarkGfm);

// The plain text of one cell; throws when the cell would not stay one cell.
export function cellText(markdown) {
  const table = [...walk(parser.parse(`| a |\n| - |\n| ${markdown} |`))].find((node) => node.type === 'table');
  const [, row, ...more] = table?.children ?? [];
  if (!row || more.length || row.children.length !== 1) throw new Error(`is not one table cell: \`${markdown}\``);
  return textOf(row).trim();
}

function textOf(node) {
  if (node.type === 'break') return '\n';
  if (node.type === 'html') return /^<br\s*\/?>$/i.test(node.value) ? '\n' : '';
  if ('value' in node) return node.value;
  return (node.children ?? []).map(textOf).join('');
}
