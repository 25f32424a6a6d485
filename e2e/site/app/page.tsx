import Link from 'next/link';

import { source } from '@/lib/source';

export default function Home() {
  return (
    <ul>
      {source.getPages().map((page) => (
        <li key={page.url}>
          <Link href={page.url}>{page.data.title}</Link>
        </li>
      ))}
    </ul>
  );
}
