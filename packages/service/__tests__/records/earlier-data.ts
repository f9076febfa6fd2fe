/**
 * Data directories that earlier versions of the service made, for tests of what a later one does with them. `earlier/README.md`
 * says what is in each. Deliberately not here: how they were made, which is `earlier/make.ts`.
 *
 *   using earlier = unpackEarlierData('version-4-killed')
 *   await using service = await startService({ dataDir: earlier.dataDir })
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const EARLIER_DATA = ['version-1', 'version-2', 'version-3', 'version-4', 'version-4-killed'] as const
type Name = (typeof EARLIER_DATA)[number]

/** A create with an Idempotency-Key. */
interface KeyedRequest {
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
}

/** A signed webhook. */
interface Delivery {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** What the service that made it said before it ended. Numbers are texts behind a #, digit by digit. `crashed` is in none but the killed one. */
export interface Expected {
  readonly version: number
  readonly madeAt: string
  readonly annotations: readonly { readonly id: string; readonly endTime?: string }[]
  readonly tokens: readonly { readonly name: string; readonly secret: string; readonly listsAnnotations: number }[]
  readonly tokenList: string
  readonly datasets?: readonly unknown[]
  readonly fields?: readonly unknown[]
  readonly queries?: readonly { readonly apl: string; readonly status: number; readonly columns: unknown }[]
  readonly monitors?: readonly unknown[]
  readonly integrationList?: string
  readonly deployments?: {
    readonly repeated: readonly (Delivery & { outcome: string })[]
    readonly next: Delivery & { outcome: string }
  }
  readonly annotationKey: KeyedRequest & { readonly body: unknown; readonly id: string; readonly otherBodyIs: number }
  readonly ingestKey?: KeyedRequest & { readonly dataset: string; readonly body: string; readonly answer: unknown }
  readonly unconfirmedIngestKey?: KeyedRequest & { readonly dataset: string; readonly body: string; readonly answer: unknown }
  readonly crashed?: { readonly new: string; readonly due: string; readonly opened: string }
}

/** @returns a copy in a temporary directory, which goes with it */
export function unpackEarlierData(name: Name): { dataDir: string; expected: Expected } & Disposable {
  const path = join(import.meta.dirname, 'earlier', name)
  const dataDir = mkdtempSync(join(tmpdir(), `${name}-`))
  execFileSync('tar', ['-xzf', `${path}.tar.gz`, '--no-same-owner', '-C', dataDir])
  const expected = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Expected
  return { dataDir, expected, [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** JSON with its numbers as texts behind a #, as they are in what is expected: no digit is lost. */
export function parseDigits(text: string): unknown {
  const keep = (_: string, value: unknown, { source }: { source?: string }) => (typeof value === 'number' ? `#${source}` : value)
  return (JSON.parse as (text: string, reviver: typeof keep) => unknown)(text, keep)
}
