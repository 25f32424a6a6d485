import { benchmarks } from 'collections/server';
import { loader } from 'fumadocs-core/source';

export const source = loader({
  baseUrl: '/benchmarks',
  source: benchmarks.toFumadocsSource(),
  pageTree: {
    transformers: [
      {
        // the framework itself names an entry after the title
        file(node, path) {
          const page = path ? this.storage.read(path) : undefined;
          if (page?.format === 'page' && page.data.sidebar_label) node.name = page.data.sidebar_label;
          return node;
        },
      },
    ],
  },
});
