/**
 * A real Prometheus with a past: series are written to its storage before it starts. Where the machine has none (Debian: prometheus), the
 * tests that need it are skipped.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import protobuf from 'protobufjs/light.js'
import { freePort } from './free-port.ts'

export const hasPrometheus = ['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).error === undefined)

/** One sample of a counter: its series as Prometheus writes it, such as `requests_total{code="200"}`. */
export interface Sample {
  series: string
  atMs: number
  value: number
}

/** One sample of a native histogram of durations: so many requests took about 0.2 seconds, and so many about 3. */
export interface HistogramSample {
  labels: Readonly<Record<string, string>>
  atMs: number
  quick: number
  slow: number
}

/** @param histograms in the order of their times */
export async function startPrometheus(
  samples: readonly Sample[],
  histograms: readonly HistogramSample[] = [],
): Promise<{ url: string } & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const input = join(folder, 'input.txt')
  // Samples of one series must follow each other.
  const sorted = [...samples].sort((a, b) => a.series.localeCompare(b.series) || a.atMs - b.atMs)
  const lines = sorted.map(({ series, atMs, value }) => `${series} ${value} ${atMs / 1_000}`)
  writeFileSync(input, `${lines.join('\n')}\n# EOF\n`)
  const data = join(folder, 'data')
  // An empty past is no block.
  if (samples.length > 0) {
    const written = spawnSync('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', input, data], { encoding: 'utf8' })
    if (written.status !== 0) throw new Error(written.stderr)
  }
  writeFileSync(join(folder, 'prometheus.yml'), 'scrape_configs: []\n')
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--storage.tsdb.retention.time=10y',
      '--enable-feature=native-histograms',
      '--web.enable-remote-write-receiver',
    ],
    { stdio: 'ignore' },
  )
  const url = `http://127.0.0.1:${port}`
  for (let waitedMs = 0; !(await isReady(url)); waitedMs += 50) {
    if (waitedMs > 30_000 || child.exitCode !== null) throw new Error('Prometheus did not start')
    await sleep(50)
  }
  for (let at = 0; at < histograms.length; at += 500) await writeHistograms(url, histograms.slice(at, at + 500))
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await once(child, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

const WRITE = protobuf.Root.fromJSON(
  JSON.parse(readFileSync(new URL('prometheus-write.json', import.meta.url), 'utf8')),
).lookupType('WriteRequest')

/** By remote write: nothing else brings native histograms of the past into a Prometheus. */
async function writeHistograms(url: string, histograms: readonly HistogramSample[]): Promise<void> {
  const timeseries = histograms.map(({ labels, atMs, quick, slow }) => ({
    labels: Object.entries(labels)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => ({ name, value })),
    histograms: [
      {
        countInt: quick + slow,
        sum: quick * 0.2 + slow * 3,
        schema: 0,
        zeroThreshold: 1e-9,
        zeroCountInt: 0,
        // Buckets are powers of two: up to a quarter of a second, and up to four.
        positiveSpans: [
          { offset: -2, length: 1 },
          { offset: 3, length: 1 },
        ],
        positiveDeltas: [quick, slow - quick],
        timestamp: atMs,
      },
    ],
  }))
  const answer = await fetch(`${url}/api/v1/write`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    },
    body: asSnappy(WRITE.encode({ timeseries }).finish()),
  })
  if (!answer.ok) throw new Error(`Prometheus took no histograms: ${answer.status} ${await answer.text()}`)
}

/** Snappy's form of bytes that are not compressed. */
function asSnappy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const length: number[] = []
  for (let rest = bytes.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest)
    if (rest <= 127) break
  }
  const parts: Uint8Array[] = [Buffer.from(length)]
  for (let at = 0; at < bytes.length; at += 65_536) {
    const part = bytes.subarray(at, at + 65_536)
    parts.push(Buffer.from([61 << 2, (part.length - 1) & 255, (part.length - 1) >> 8]), part)
  }
  return Buffer.concat(parts)
}
