/** Makes the clock of the step a quarter of an hour slow, but not the one of `compare`: the deployment was then. */
const now = Date.now
if (!process.argv[1]?.includes('/compare/')) Date.now = () => now() - 15 * 60_000
