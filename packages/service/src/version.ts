/**
 * The version of this program, from its package.
 */
import { readFileSync } from 'node:fs'

const manifest = new URL('../package.json', import.meta.url)

export const VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
