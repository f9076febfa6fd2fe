/** Programs in Go that some tests run: where they are, and what of. `.ci/build-go-tool.ts` builds them. */
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Their modules. */
export const GO_TOOLS = {
  act: { module: 'github.com/nektos/act', version: 'v0.2.89' },
  helm: { module: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0' },
} as const
export type GoTool = keyof typeof GO_TOOLS

/** Outside of the repository, so that it outlives a checkout. */
const CACHE = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')

/** @returns the folder in which it is built */
export function folderOf(tool: GoTool): string {
  return join(CACHE, 'deployment-annotations', `${tool}-${GO_TOOLS[tool].version}`)
}

/** nektos/act, a runner of workflows; `ACT` in the environment names another one. */
export const ACT = process.env.ACT || join(folderOf('act'), 'act')
/** Helm, which makes manifests of a chart; `HELM` in the environment names another one. */
export const HELM = process.env.HELM || join(folderOf('helm'), 'helm')
/** Validates manifests against the schemas of Kubernetes; in Python, which `.ci/kubernetes-validate` installs with Helm. */
export const KUBERNETES_VALIDATE = join(CACHE, 'deployment-annotations/kubernetes-validate-1.37.0/venv/bin/kubernetes-validate')
