/** Where it is known what was meant, an error carries the whole text as it should be; that text compiles, or has the next mistake. */
import { expect, test } from '@jest/globals'
import { errorOf } from './support/error-of.ts'

const suggestion = (text: string) => errorOf(text).suggestion

test.each([
  ['web | where status = 500', 'web | where status == 500'],
  ['web | where status === 500', 'web | where status == 500'],
  ['web | where ok AND status == 500', 'web | where ok and status == 500'],
  ['web | where ok && status > 1 && ok', 'web | where ok and status > 1 and ok'],
  ['web | where ok || status == 500', 'web | where ok or status == 500'],
  ['web | where path == ‘x’', "web | where path == 'x'"],
  ['web | where path == “x” | count', 'web | where path == "x" | count'],
  ['web | where status ≥ 500', 'web | where status >= 500'],
  ['web where ok', 'web | where ok'],
  ['web | summrize count()', 'web | summarize count()'],
  ['web | project-awy id', 'web | project-away id'],
  ['web | where stauts == 1', 'web | where status == 1'],
  ['web | where geo.contry == "NO"', 'web | where geo.country == "NO"'],
  ['web | where isnull(its) | project its', "web | where isnull(['it\\'s']) | project its"],
  ["['wep'] | where tolowr(path) == 'a'", "web | where tolowr(path) == 'a'"],
  ["web | where tolowr(path) == 'a'", "web | where tolower(path) == 'a'"],
  ["web | where _time > ago('1h')", 'web | where _time > ago(1h)'],
  ['web | summarize countIf(status >= 500)', 'web | summarize countif(status >= 500)'],
  ['web | sort by _time descending', 'web | sort by _time desc'],
  ['web | join kind=iner users on id', 'web | join kind=inner users on id'],
])('%s', (text, mended) => {
  expect(suggestion(text)).toBe(mended)
})

test.each(['web | where (status == 500', 'SELECT * FROM web', 'web | where path like "a"'])(
  'what was meant by "%s" is not certain',
  (text) => {
    expect(suggestion(text)).toBeUndefined()
  },
)
