/**
 * Vercel: `deployment.*` events of a webhook of the account or of an integration.
 * https://vercel.com/docs/webhooks/webhooks-api, read 2026-11. Vercel does not promise an order of delivery; `createdAt` is when
 * the event came to be.
 */
import type { BodyKind } from './mapping.ts'
import { presetPlatform } from './preset.ts'
import { signedBody } from './signature.ts'

const source = (name: string) =>
  ['github', 'gitlab', 'bitbucket'].map((host) => `payload.deployment.meta.${host}${name}`).join('|')
const OTHERWISE = 'not about the start or end of a deployment'
const EVENT: BodyKind = {
  when: "{type~'deployment.*'}{payload.deployment.id}{createdAt}",
  deployment: '{payload.deployment.id}',
  state: "{type~'deployment.(*)'}",
  unknownState: OTHERWISE,
  time: '{createdAt}',
  project: '{payload.project.name|payload.deployment.name}',
  environment: "{payload.target|payload.deployment.target|'preview'}",
  version: `{${source('CommitSha')}}`,
  branch: `{${source('CommitRef')}}`,
  commit: `{${source('CommitSha')}}`,
  by: `{${source('CommitAuthorLogin')}|${source('CommitAuthorName')}}`,
  change: `{${source('CommitMessage')}}`,
  url: '{payload.links.deployment}',
  urlElse: '{payload.deployment.inspectorUrl}',
}

export const vercel = presetPlatform({
  proofs: [signedBody('x-vercel-signature', { hash: 'sha1', prefix: '' })],
  otherwise: OTHERWISE,
  kinds: [
    // A deployment is promoted when it succeeds, and may be again any time later.
    { ...EVENT, when: `${EVENT.when}{type~'*.promoted'}`, state: 'succeeded', isSuccessRepeated: true },
    EVENT,
  ],
})
