/**
 * The platforms by name.
 */
import type { PlatformName } from '../integrations/integration.ts'
import { generic } from './generic.ts'
import { github } from './github.ts'
import { netlify } from './netlify.ts'
import type { Platform } from './platform.ts'
import { vercel } from './vercel.ts'

export const PLATFORM_OF: Readonly<Record<PlatformName, Platform>> = { vercel, github, netlify, generic }
