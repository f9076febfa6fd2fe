/**
 * An export on disk: what its files are called and have in them. Everything is for its owner alone, and each file is written whole
 * or not at all.
 *
 *   manifest.json                      what is exported, from where, and the sums over it once it is finished
 *   records/<table>.ndjson             a row on each line
 *   events/<table>/chunks.ndjson       what is in each chunk, in order
 *   events/<table>/000001.native.zst   its rows, in the engine's own format, compressed
 */
import { hash } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ChunkRange, ChunkSums } from '@deployment-annotations/event-store/tables/event-chunks'
import type { MovedTable } from '@deployment-annotations/records/database/all-records'
import { writeOwnerFile } from '@deployment-annotations/runtime/owner-file'
import type { Plan } from './export-plan.ts'

/** Raised when older programs could not read what is written. */
export const FORMAT = 1

export interface Manifest {
  format: number
  /** Random; names this export. */
  id: string
  startedAt: string
  plan: Plan
  /** Once it is finished. */
  finished?: FinishedExport
}

export interface FinishedExport {
  at: string
  records: Partial<Record<MovedTable, RecordSums>>
  events: EventSums[]
}

interface RecordSums {
  rows: number
  sum: string
}

export interface EventSums {
  table: string
  dataset: string
  rows: number
  chunks: number
  /** SHA-256 of the file that lists them. */
  listSha256: string
}

/** A line of `chunks.ndjson`. */
export interface ListedChunk extends ChunkRange, ChunkSums {
  file: string
  /** Of the file, and of the rows in it before compression. */
  fileBytes: number
  bytes: number
  /** Of the file. */
  sha256: string
}

export class ExportDirectory {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Makes the directory if need be. */
  make(): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 })
  }

  /** Whether nothing is there but what an export leaves that was killed before it had begun. */
  isNew(): boolean {
    return readdirSync(this.path).every((name) => name.startsWith('running') || /^manifest\.json\..*tmp$/.test(name))
  }

  /** @returns `undefined` where there is none. @throws Error when it cannot be understood */
  readManifest(): Manifest | undefined {
    const path = join(this.path, 'manifest.json')
    if (!existsSync(path)) return undefined
    let manifest: Manifest
    try {
      manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
    } catch (cause) {
      throw new Error(`${path} is damaged: it is not JSON`, { cause })
    }
    if (manifest.format !== FORMAT)
      throw new Error(
        `${path} is of format ${manifest.format}, and this program knows format ${FORMAT}; use the one that wrote it`,
      )
    return manifest
  }

  writeManifest(manifest: Manifest): void {
    writeOwnerFile(join(this.path, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  }

  /** @returns the file, in a directory that is there */
  makeRecordsFile(table: MovedTable): string {
    mkdirSync(join(this.path, 'records'), { recursive: true, mode: 0o700 })
    return this.recordsFile(table)
  }

  recordsFile(table: MovedTable): string {
    return join(this.path, 'records', `${table}.ndjson`)
  }

  chunkFile(table: string, { file }: Pick<ListedChunk, 'file'>): string {
    return join(this.#tableDirectory(table), file)
  }

  /** The chunks that are whole. A line that was not finished is removed. */
  resumeChunks(table: string): ListedChunk[] {
    const directory = this.#tableDirectory(table)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    for (const file of readdirSync(directory)) if (file.endsWith('.tmp')) rmSync(join(directory, file))
    const path = this.#listFile(table)
    if (!existsSync(path)) return []
    const text = readFileSync(path, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole !== text) writeOwnerFile(path, whole)
    return parseChunks(whole)
  }

  /** @throws Error when the list is not the one that the export finished with */
  readChunks({ table, listSha256, chunks }: EventSums): ListedChunk[] {
    const path = this.#listFile(table)
    const text = chunks === 0 && !existsSync(path) ? '' : readFileSync(path, 'utf8')
    if (hash('sha256', text) !== listSha256) throw new Error(`${path} is damaged: it is not as the export wrote it`)
    return parseChunks(text)
  }

  /** Both the file and its line in the list are on disk when this returns. */
  addChunk(table: string, chunk: Omit<ListedChunk, 'sha256' | 'fileBytes'>, body: Uint8Array): ListedChunk {
    const listed: ListedChunk = { ...chunk, fileBytes: body.byteLength, sha256: hash('sha256', body) }
    writeOwnerFile(this.chunkFile(table, listed), body)
    const list = openSync(this.#listFile(table), 'a', 0o600)
    try {
      appendFileSync(list, `${JSON.stringify(listed)}\n`)
      fsyncSync(list)
    } finally {
      closeSync(list)
    }
    return listed
  }

  /** @returns the SHA-256 of the list of a table */
  hashList(table: string): string {
    const path = this.#listFile(table)
    return hash('sha256', existsSync(path) ? readFileSync(path) : '')
  }

  removeTable(table: string): void {
    rmSync(this.#tableDirectory(table), { recursive: true, force: true })
  }

  #tableDirectory(table: string): string {
    return join(this.path, 'events', table)
  }

  #listFile(table: string): string {
    return join(this.#tableDirectory(table), 'chunks.ndjson')
  }
}

function parseChunks(text: string): ListedChunk[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ListedChunk]))
}
