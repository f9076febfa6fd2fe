/** Releases and what follows from them: the path, and closed lists. Specific to our service. The shapes are in schemas/release.ts. */

export const RELEASES_PATH = '/v2/releases'

/** How a release ended, as far as its texts say so. */
export const RELEASE_RESULTS = ['succeeded', 'failed', 'canceled', 'running'] as const
export type ReleaseResult = (typeof RELEASE_RESULTS)[number]
