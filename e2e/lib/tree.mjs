// Walking trees: Markdown's from remark, HTML's from parse5.
import { parseFragment } from 'parse5';

// Every node of a Markdown tree, parents first.
export function* walk(node) {
  yield node;
  for (const child of node.children ?? []) yield* walk(child);
}

// Every node of an HTML fragment, parents first.
export function* walkHtml(node) {
  yield node;
  for (const child of node.childNodes ?? []) yield* walkHtml(child);
}

export const elementsOf = (html) => [...walkHtml(parseFragment(html))].filter((node) => node.tagName);

export const attribute = (element, name) => element.attrs.find((a) => a.name === name)?.value;

// The text a reader sees, a line break as a newline.
export function htmlText(node) {
  if (node.nodeName === '#text') return node.value;
  if (node.tagName === 'br') return '\n';
  return (node.childNodes ?? []).map(htmlText).join('');
}

// The rows of a table: each the elements of its cells.
export function rowsOf(table) {
  const rows = [...walkHtml(table)].filter((node) => node.tagName === 'tr');
  return rows.map((row) => row.childNodes.filter((cell) => cell.tagName === 'td' || cell.tagName === 'th'));
}
