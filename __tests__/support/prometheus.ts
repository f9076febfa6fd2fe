/**
 * A real Prometheus with a past: series are written to its storage before it starts. Where the machine has none (Debian: prometheus), the
 * tests that need it are skipped.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export const hasPrometheus = ['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).error === undefined)

/** One sample of a counter: its series as Prometheus writes it, such as `requests_total{code="200"}`. */
export interface Sample {
  series: string
  atMs: number
  value: number
}

export async function startPrometheus(samples: readonly Sample[]): Promise<{ url: string } & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const input = join(folder, 'input.txt')
  // Samples of one series must follow each other.
  const sorted = [...samples].sort((a, b) => a.series.localeCompare(b.series) || a.atMs - b.atMs)
  const lines = sorted.map(({ series, atMs, value }) => `${series} ${value} ${atMs / 1_000}`)
  writeFileSync(input, `${lines.join('\n')}\n# EOF\n`)
  const data = join(folder, 'data')
  const written = spawnSync('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', input, data], { encoding: 'utf8' })
  if (written.status !== 0) throw new Error(written.stderr)
  writeFileSync(join(folder, 'prometheus.yml'), 'scrape_configs: []\n')
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--storage.tsdb.retention.time=10y',
    ],
    { stdio: 'ignore' },
  )
  const url = `http://127.0.0.1:${port}`
  for (let waitedMs = 0; !(await isReady(url)); waitedMs += 50) {
    if (waitedMs > 30_000 || child.exitCode !== null) throw new Error('Prometheus did not start')
    await sleep(50)
  }
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
