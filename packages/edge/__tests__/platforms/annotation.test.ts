import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { readYaml } from '../../../../__tests__/support/read-yaml.ts'
import { INTEGRATION } from '../../../service/__tests__/deployments/receiver.ts'
import type { Integration } from '../../../service/src/automations/integrations/integration.ts'
import { buildAnnotation } from '../../src/platforms/annotation.ts'
import { deploymentFrom, mergeDeployments } from '../../src/platforms/deployment.ts'
import type { DeploymentEvent, DeploymentFacts } from '../../src/platforms/deployment-event.ts'
import { codeSpan, fitEscaped } from '../../src/platforms/markdown.ts'
import { textOf, urlOf } from '../../src/platforms/payload.ts'

const MARKING: Integration = {
  ...INTEGRATION,
  platform: 'github',
  datasets: ['web', 'api'],
  type: 'production-deploy',
  title: '{project} {environment} {version}',
}
const FACTS: DeploymentFacts = {
  project: 'shop',
  environment: 'production',
  version: 'v2',
  branch: 'main',
  commit: '0123456',
  by: 'ada',
  change: 'Show prices with tax',
  url: 'https://ci.example/1',
}
const S = 1_000_000_000n
const started: DeploymentEvent = { deployment: '1', state: 'started', atNs: S, facts: FACTS, environments: [] }

function annotationOf(end: Partial<DeploymentEvent> = {}, integration: Partial<Integration> = {}) {
  const deployment = mergeDeployments(deploymentFrom(started), deploymentFrom({ ...started, ...end }))
  return buildAnnotation(deployment, { ...MARKING, ...integration })
}

test('a deployment under way is open, and says what is deployed', () => {
  expect(annotationOf()).toEqual({
    datasets: ['web', 'api'],
    timeNs: S,
    open: true,
    title: 'shop production v2',
    description:
      'In progress\n\nEnvironment `production`, branch `main`, commit `0123456`, by `ada`\n\nChange: Show prices with tax',
    type: 'production-deploy',
    url: 'https://ci.example/1',
  })
})

test.each([
  [{ state: 'succeeded', atNs: 124n * S }, 'shop production v2', 'Succeeded after 2 min 3 s'],
  [
    { state: 'failed', atNs: 124n * S, message: 'out of *memory*' },
    'shop production v2 failed',
    'Failed after 2 min 3 s: out of \\*memory\\*',
  ],
  [{ state: 'canceled', atNs: 3_661n * S }, 'shop production v2 canceled', 'Canceled after 1 h 1 min'],
  [{ state: 'succeeded', atNs: S + 1n }, 'shop production v2', 'Succeeded after less than a second'],
  [{ state: 'succeeded', atNs: S }, 'shop production v2', 'Succeeded'],
] as const)('%j is titled %j and described %j', (end, title, description) => {
  const annotation = annotationOf(end)
  expect([annotation.title, annotation.description?.split('\n')[0], annotation.endTimeNs]).toEqual([title, description, end.atNs])
})

test.each([
  ['{project}: {version} by {by}', 'shop: v2 by ada'],
  ['{branch} {commit}', 'main 0123456'],
  ['Shop is live', 'Shop is live'],
])('the title %j becomes %j', (title, expected) => {
  expect(annotationOf({}, { title }).title).toBe(expected)
})

test('what is not known leaves no gap in the title', () => {
  const bare = deploymentFrom({ ...started, facts: { version: 'v2' } })
  expect(buildAnnotation(bare, MARKING).title).toBe('v2')
  expect(buildAnnotation(deploymentFrom({ ...started, facts: {} }), MARKING).title).toBe('Deployment')
})

test('a fact that looks like a placeholder stays as it is', () => {
  const deployment = deploymentFrom({ ...started, facts: { project: '{by}', by: 'ada' } })
  expect(buildAnnotation(deployment, MARKING).title).toBe('{by}')
})

/** The kinds of nodes in a Markdown text, and its text as it is shown. */
function show(markdown: string): { kinds: Set<string>; text: string } {
  const kinds = new Set<string>()
  let text = ''
  const visit = (node: { type: string; value?: string; children?: unknown[] }) => {
    kinds.add(node.type)
    text += node.value ?? ''
    for (const child of node.children ?? []) visit(child as typeof node)
  }
  visit(fromMarkdown(markdown))
  return { kinds, text }
}

const HOSTILE = JSON.parse(readFileSync(new URL('hostile.json', import.meta.url), 'utf8')) as string[]

test.each(HOSTILE)('%j shows as text in a description', (hostile) => {
  const facts = Object.fromEntries(Object.keys(FACTS).map((name) => [name, textOf(hostile)]))
  const message = textOf(hostile) ?? ''
  const { description = '', title = '' } = annotationOf({
    state: 'failed',
    atNs: 2n * S,
    message,
    facts: { ...facts, url: undefined },
  })
  const { kinds, text } = show(description)
  expect([...kinds].filter((kind) => !['root', 'paragraph', 'text', 'inlineCode'].includes(kind))).toEqual([])
  expect(text).toContain(`: ${message}`)
  for (const shown of [description.replaceAll('\n\n', ''), title]) {
    expect(shown).not.toMatch(/[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
  }
})

test.each(['https://evil.example/x', 'see www.evil.example now', 'mail ada@evil.example'])(
  '%j becomes no link in the common extensions either',
  (text) => {
    expect(fitEscaped(text, 100)).not.toMatch(/[a-z]:\/\/|www\.|[a-z]@/)
  },
)

test('any texts fit the contract and show as themselves', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(anyText, anyText, anyText, (message, fact, change) => {
      const facts = Object.fromEntries(Object.keys(FACTS).map((name) => [name, textOf(fact)]))
      const annotation = annotationOf({
        state: 'failed',
        atNs: 2n * S,
        message: textOf(message) ?? '',
        facts: { ...facts, change: textOf(change), url: urlOf(fact) },
      })
      expect([...(annotation.title ?? '')].length).toBeLessThanOrEqual(256)
      expect([...(annotation.description ?? '')].length).toBeLessThanOrEqual(512)
      const { kinds } = show(annotation.description ?? '')
      expect([...kinds].filter((kind) => !['root', 'paragraph', 'text', 'inlineCode'].includes(kind))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('a text that is too long ends in a sign of that, and never between an escape and its character', () => {
  expect(fitEscaped('abc', 3)).toBe('abc')
  expect(fitEscaped('abcd', 3)).toBe('ab…')
  expect(fitEscaped('a*', 2)).toBe('a…')
  expect(fitEscaped('😀😀', 2)).toBe('😀😀')
  expect(codeSpan('a`b')).toBe("`a'b`")
  expect(
    annotationOf({ facts: { project: 'x'.repeat(300), environment: '', version: '' }, atNs: 2n * S, state: 'failed' }).title,
  ).toMatch(/^x{248}… failed$/)
})

test.each([
  ...readYaml<[given: string | null, kept: string | null][]>(import.meta.url, 'addresses.yaml'),
  [`https://ci.example/${'x'.repeat(600)}`, null] as const,
])('of the address %j, %j is kept', (given, kept) => {
  expect(urlOf(given) ?? null).toBe(kept)
})
