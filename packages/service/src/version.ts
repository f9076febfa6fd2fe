/**
 * The version of this program: that of its package and, as its build, the number of the records that it writes, such as
 * `1.0.0+records.16`. A program reads exports of its own number and all lower ones.
 */
import { readFileSync } from 'node:fs'
import { RECORDS_VERSION } from '@deployment-annotations/records/migrations/migrations'

const manifest = new URL('../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }

export const VERSION = `${version}+records.${Number.parseInt(RECORDS_VERSION, 10)}`
