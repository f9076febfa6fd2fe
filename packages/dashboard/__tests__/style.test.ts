/** The style sheets: their colors, sizes of text, spaces and radii are those of `tokens.css`, and they stay few. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'

const FOLDER = new URL('../src/', import.meta.url).pathname
const TOKENS = 'tokens.css'
const sheets = globSync('**/*.css', { cwd: FOLDER }).filter((name) => name !== TOKENS)
const read = (name: string) => readFileSync(FOLDER + name, 'utf8').replace(/\/\*.*?\*\//gs, '')
const linesOf = (name: string) =>
  read(name)
    .split('\n')
    .filter((line) => line.trim() !== '').length

const COLOR =
  /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|light-dark)\(|\b(?:white|black|gr[ae]y|red|green|blue|orange)\b/i
const LENGTH = /[\d.]+(?:px|r?em|r?lh|ch|ex|pt|vw|vh)\b/
/** What a property may not say; a line of one pixel is no space. */
const LITERALS: readonly [property: RegExp, literal: RegExp, allowed: RegExp][] = [
  [/^(?!--)/, COLOR, /^$/],
  [/^font-size$/, /^(?!var\(--text-|inherit)/, /^$/],
  [/^font$/, LENGTH, /\/ ?\d+px/g],
  [/^(?:scroll-)?(?:margin|padding)|gap$/, LENGTH, /-?\b1px\b/g],
  [/radius$/, LENGTH, /^$/],
]

test('no color, size of text, space or radius is outside the tokens', () => {
  const literals = sheets.flatMap((name) =>
    [...read(name).matchAll(/([\w-]+):\s*([^;{}]+);/g)].flatMap(([, property = '', value = '']) =>
      LITERALS.some(([of, literal, allowed]) => of.test(property) && literal.test(value.replace(allowed, '')))
        ? `${name}: ${property}: ${value}`
        : [],
    ),
  )
  expect(literals).toEqual([])
})

test('every variable is a token, or set by the page', () => {
  const scripts = globSync('**/*.{ts,tsx}', { cwd: FOLDER }).map((name) => readFileSync(FOLDER + name, 'utf8'))
  const tokens = read(TOKENS)
  const isKnown = (name: string) => tokens.includes(`${name}:`) || scripts.some((text) => text.includes(`'${name}'`))
  const used = [...sheets, TOKENS].flatMap((name) =>
    [...read(name).matchAll(/var\((--[\w-]+)/g)].map(([, variable = '']) => variable),
  )
  expect([...new Set(used)].filter((name) => !isKnown(name))).toEqual([])
})

test('there are at most 2,600 lines of style, without blank ones and comments', () => {
  expect([...sheets, TOKENS].reduce((sum, name) => sum + linesOf(name), 0)).toBeLessThanOrEqual(2_600)
})
