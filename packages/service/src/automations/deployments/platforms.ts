/**
 * The platforms by name, and what is said about them alike.
 */
import type { PlatformName } from '@deployment-annotations/contract/integration'
import { generic } from './generic.ts'
import { github } from './github.ts'
import { netlify } from './netlify.ts'
import type { Platform } from './platform.ts'
import { vercel } from './vercel.ts'

export const PLATFORM_OF: Readonly<Record<PlatformName, Platform>> = { vercel, github, netlify, generic }

/** @returns the headers that carry a signature of this platform, for people who look for theirs */
export function expectedSignature(platform: PlatformName): string {
  return PLATFORM_OF[platform].signatures.map(({ header, form }) => `${header}: ${form}`).join(' or ')
}
