/** Numbers since the epoch: which unit they are of, and that no digit is lost. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { parseEpoch } from '../src/epoch.ts'

/** Texts beside the nanoseconds that they are read as, and texts that are refused. */
const TEXTS = JSON.parse(readFileSync(new URL('epochs.json', import.meta.url), 'utf8')) as {
  read: [text: string, ns: string][]
  refused: string[]
}

test.each(TEXTS.read)('%s is %s ns', (text, ns) => {
  expect(parseEpoch(text)).toBe(BigInt(ns))
})

test.each(TEXTS.refused)('%j is no number', (text) => {
  expect(parseEpoch(text)).toBeUndefined()
})
