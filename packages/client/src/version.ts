/** The version in package.json, kept equal by test: reading the file at run time would put its path into the bundle. */
export const VERSION = '1.0.0'

export const USER_AGENT = `deployment-annotations/${VERSION}`
