import { metaSchema, pageSchema } from 'fumadocs-core/source/schema';
import { defineConfig, defineDocs } from 'fumadocs-mdx/config';
import { z } from 'zod';

export const benchmarks = defineDocs({
  dir: 'content/benchmarks',
  docs: { schema: pageSchema.extend({ sidebar_label: z.string().optional() }) },
  // without `files` every output.json would be taken for a sidebar
  meta: { schema: metaSchema, files: ['**/meta.json'] },
});

export default defineConfig();
