/**
 * Checks the file of the records by itself, also one that cannot be opened: SQLite's own checks of its pages and indexes, and the digests of
 * its rows.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describeRow, RowDigests } from './sqlite-digests.ts'
import { isWalDamaged } from './sqlite-wal.ts'

interface FileFinding {
  what: string
  problem: string
  remedy: string
  /** Whether the records cannot be used. */
  isFatal?: boolean
}

const RESTORE = 'restore it from a backup, or move it away and run annotation-service fsck --rebuild-catalogue'
const LOOK =
  'restore the file from a backup, or change or delete the record; --accept-records takes all records for right as they are'

export function checkSqliteFile(file: string): FileFinding[] {
  if (!existsSync(file)) return [{ what: file, problem: 'the file is missing', remedy: RESTORE }]
  const findings: FileFinding[] = []
  if (isWalDamaged(file))
    findings.push({ what: `${file}-wal`, problem: 'committed changes are missing in it', remedy: 'restore it from a backup' })
  try {
    const { file: ofFile, rows } = findDamage(file)
    findings.push(...ofFile.map((problem) => ({ what: file, problem, remedy: RESTORE })))
    findings.push(...rows.map((problem) => ({ what: file, problem, remedy: LOOK })))
  } catch (error) {
    findings.push({ what: file, problem: (error as Error).message, remedy: RESTORE, isFatal: true })
  }
  return findings
}

/** @returns what SQLite finds wrong, and the rows that are not as they were written. @throws Error of SQLite if it is no database */
export function findDamage(path: string): { file: string[]; rows: string[] } {
  using database = new DatabaseSync(path, { readOnly: true })
  const file = database.prepare('PRAGMA integrity_check').all()
  const strangers = database.prepare('PRAGMA foreign_key_check').all()
  return {
    file: [
      ...file.map(({ integrity_check: text }) => String(text)).filter((text) => text !== 'ok'),
      ...strangers.map((row) => `a row of ${String(row.table)} refers to nothing`),
    ],
    rows: [...new RowDigests(database).compare()].flat().map(describeRow),
  }
}

/** Takes all records for right as they are. @returns how many were otherwise than they were written */
export function acceptRows(file: string): number {
  using database = new DatabaseSync(file)
  const digests = new RowDigests(database)
  const { length } = [...digests.compare()].flat()
  database.exec('BEGIN IMMEDIATE')
  digests.cover()
  digests.accept()
  database.exec('COMMIT')
  return length
}
