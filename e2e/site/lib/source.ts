import { benchmarks } from 'collections/server';
import { loader } from 'fumadocs-core/source';

export const source = loader({ baseUrl: '/benchmarks', source: benchmarks.toFumadocsSource() });
