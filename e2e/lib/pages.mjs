// Finds published pages and reads what lies beside them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

const FORMATS = { '.mdx': 'mdx', '.md': 'md' };

// Every page at or below a path, in the order of their names. What begins with `_` is no page, as everywhere in the product.
export function findPages(path) {
  if (statSync(path).isFile()) return extname(path) in FORMATS ? [path] : [];
  const entries = readdirSync(path, { withFileTypes: true });
  const below = entries.filter((e) => !/^[_.]|^node_modules$/.test(e.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return below.flatMap((e) => (e.isDirectory() || extname(e.name) in FORMATS ? findPages(join(path, e.name)) : []));
}

// A page with its format and its companions; a companion that is not there is null.
export function readPage(path) {
  const beside = (name) => {
    const file = join(dirname(path), name);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  };
  return {
    path,
    format: FORMATS[extname(path)],
    text: readFileSync(path, 'utf8'),
    chart: beside('output.json'),
    evidence: beside('evidence.json'),
  };
}
