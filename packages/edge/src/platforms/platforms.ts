/**
 * The platforms by name, and what is said about them alike.
 */
import type { PlatformName } from '@deployment-annotations/contract/platform'
import { argoCd } from './argo-cd.ts'
import { azureDevOps } from './azure-devops.ts'
import { bitbucket } from './bitbucket.ts'
import { cdevents } from './cdevents.ts'
import { generic } from './generic.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { jenkins } from './jenkins.ts'
import { kubernetes } from './kubernetes.ts'
import { netlify } from './netlify.ts'
import { headerOf, type Platform, type WebhookRequest } from './platform.ts'
import { vercel } from './vercel.ts'

export const PLATFORM_OF: Readonly<Record<PlatformName, Platform>> = {
  'argo-cd': argoCd,
  'azure-devops': azureDevOps,
  bitbucket,
  cdevents,
  generic,
  github,
  gitlab,
  jenkins,
  kubernetes,
  netlify,
  vercel,
}

/** @returns the headers that prove a request of this platform, for people who look for theirs */
export function expectedProof(platform: PlatformName): string {
  return PLATFORM_OF[platform].proofs.map(({ header, form }) => `${header}: ${form}`).join(' or ')
}

/** Whether one of the headers that the request has proves that its sender knows the secret. */
export async function isProved(platform: PlatformName, request: WebhookRequest, secret: string, nowMs: number): Promise<boolean> {
  const given = PLATFORM_OF[platform].proofs.filter(({ header }) => headerOf(request, header.toLowerCase()) !== '')
  const areRight = await Promise.all(given.map((proof) => proof.isRight(request, secret, nowMs)))
  return areRight.includes(true)
}
