/**
 * Cases of a test that are a table: in the YAML file beside it, which has its name.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** @param testUrl of the test, whose file ends in `.test.ts` */
export function readCases<T>(testUrl: string): T {
  return parse(readFileSync(new URL(testUrl.replace(/\.test\.ts$/, '.yaml')), 'utf8')) as T
}
