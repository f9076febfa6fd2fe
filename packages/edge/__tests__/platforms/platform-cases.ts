/**
 * What platforms send, and what has to be shown of it: a case each, in the shape of the platform's documentation with invented values.
 */
import { readFileSync } from 'node:fs'
import type { PreviewResult } from '@deployment-annotations/contract/integration'
import type { PlatformName } from '@deployment-annotations/contract/platform'

interface PlatformCase {
  platform: PlatformName
  name: string
  body: unknown
  headers?: Record<string, string>
  /** What is shown; of a batch of each event. The id `#` stands for one that is made of several parts, which may have slashes. */
  marks: PreviewResult['marks']
}

export const CASES = JSON.parse(readFileSync(new URL('platform-cases.json', import.meta.url), 'utf8')) as PlatformCase[]
