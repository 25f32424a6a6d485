type Row = { metric_name: string; timestamp: string; p50: number; p95: number; p99: number };

const WIDTH = 700;
const HEIGHT = 180;
// room for the dot of a line that has only one point
const DOT = 3;
// drawn from the highest down, so that the highest does not hide the others; colours that stand out from white and from black
const LINES = [
  ['p99', '#dc4a0a'],
  ['p95', '#8b5cf6'],
  ['p50', '#0284c7'],
] as const;

export function BenchmarkChart({ testResults }: { testResults: Row[] }) {
  const metrics = new Map<string, Row[]>();
  for (const row of testResults) metrics.set(row.metric_name, [...(metrics.get(row.metric_name) ?? []), row]);
  return (
    <div data-benchmark-chart="">
      {Array.from(metrics, ([name, rows]) => (
        <Chart key={name} name={name} rows={rows} />
      ))}
    </div>
  );
}

function Chart({ name, rows }: { name: string; rows: Row[] }) {
  const times = rows.map((row) => Date.parse(row.timestamp.replace(' ', 'T').replace('+00', 'Z')));
  const span = times[times.length - 1] - times[0];
  const top = Math.max(...rows.map((row) => row.p99), 1);
  const x = (i: number) => (span > 0 ? ((times[i] - times[0]) / span) * WIDTH : WIDTH / 2);
  const y = (value: number) => HEIGHT - DOT - (HEIGHT - 2 * DOT) * (value / top);
  return (
    <figure data-metric={name}>
      <figcaption>
        {name}, up to {top.toFixed(0)} ms:
        {LINES.map(([line, colour]) => (
          <span key={line} style={{ display: 'inline-block', marginLeft: '0.6em' }}>
            <span aria-hidden="true" style={{ color: colour }}>
              ●
            </span>{' '}
            {line}
          </span>
        ))}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Latency of ${name}`}>
        {LINES.map(([line, colour]) => (
          <polyline key={line} data-line={line} fill="none" stroke={colour} points={rows.map((row, i) => `${x(i).toFixed(1)},${y(row[line]).toFixed(1)}`).join(' ')} />
        ))}
        {rows.length === 1 &&
          LINES.map(([line, colour]) => <circle key={`${line} alone`} data-line={line} fill={colour} cx={x(0)} cy={y(rows[0][line])} r={DOT} />)}
      </svg>
    </figure>
  );
}
