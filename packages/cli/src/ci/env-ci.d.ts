/** The part of env-ci that we use; it has no types of its own. A member is absent or empty if the CI does not provide it. */
declare module 'env-ci' {
  interface Build {
    isCi: boolean
    service?: string
    commit?: string
    tag?: string
    branch?: string
    /** The number of the pull request. */
    pr?: string
    /** `owner/name` */
    slug?: string
    buildUrl?: string
    jobUrl?: string
  }
  export default function envCi(options: { env: NodeJS.ProcessEnv; cwd: string }): Build
}
