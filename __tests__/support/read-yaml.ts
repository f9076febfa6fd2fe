/** Cases that are data alone, from a file beside their test. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** @param test its `import.meta.url` @param file its name */
export const readYaml = <Content>(test: string, file: string): Content =>
  parse(readFileSync(new URL(file, test), 'utf8')) as Content
