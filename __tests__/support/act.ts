/** Where nektos/act is; `.ci/build-act.ts` builds it. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export const ACT_VERSION = 'v0.2.89'
/** Outside of the repository, so that it outlives a checkout. */
const CACHE = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
/** Where `.ci/build-act.ts` puts it; `ACT` in the environment names another one. */
export const ACT_FOLDER = join(CACHE, 'deployment-annotations', `act-${ACT_VERSION}`)
export const ACT = process.env.ACT || join(ACT_FOLDER, 'act')
