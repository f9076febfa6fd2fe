/**
 * The platforms that report deployments by webhook: a row each. With a file of packages/edge/src/platforms/ that reads what
 * it sends, a row is all that a further platform needs. Specific to this service.
 */

interface PlatformRow {
  /** What people call it. */
  label: string
  /**
   * The only environments whose deployments get annotations by default. Vercel and Netlify build every branch and pull request, and those of
   * those would bury the others; elsewhere a deployment is made on purpose.
   */
  environments?: readonly string[]
  /** Whether it makes the secret itself; for the others it may be made by the service. */
  makesOwnSecret?: boolean
  /** What a person does on the platform, in order; the address and the secret are shown beside it. */
  steps: readonly string[]
}

const PLATFORM = {
  'argo-cd': {
    label: 'Argo CD',
    steps: [
      'In argocd-notifications-cm, add service.webhook.annotations with the address as url and a header Authorization: Bearer and the secret.',
      'Add a template whose webhook has the body {"app": {{toJson .app}}, "url": "{{.context.argocdUrl}}/applications/{{.app.metadata.name}}"}.',
      'Subscribe the applications to it for the triggers on-sync-running, on-sync-succeeded and on-sync-failed.',
    ],
  },
  'azure-devops': {
    label: 'Azure DevOps',
    steps: [
      'In the project, open Project settings → Service hooks → Create subscription → Web Hooks.',
      'Do this once for each of the events Release deployment started and Release deployment completed, or Run stage state changed.',
      'Enter the address as the URL, any basic authentication username, and the secret as the password.',
    ],
  },
  bitbucket: {
    label: 'Bitbucket',
    steps: [
      'In the repository, open Repository settings → Webhooks → Add webhook.',
      'Enter the address as the URL, and the secret. Choose Build status created and Build status updated, nothing else.',
      'Let the pipeline set a build status whose key is deploy-production, or deploy- and another environment, when it begins and when it ends.',
    ],
  },
  cdevents: {
    label: 'CDEvents',
    steps: [
      'Send CDEvents as CloudEvents over HTTP, structured, binary or in batches, to the address.',
      'Send the header Authorization: Bearer and the secret with them.',
    ],
  },
  generic: {
    label: 'A script of your own',
    steps: ['Put the secret where your script finds it as SECRET, set DEPLOYMENT and VERSION, and write around what deploys:'],
  },
  github: {
    label: 'GitHub',
    steps: [
      'In the repository, or in the organization for all of its repositories, open Settings → Webhooks → Add webhook.',
      'Enter the address as the payload URL, the content type application/json, and the secret.',
      'Choose “Let me select individual events”, and select Deployments and Deployment statuses, nothing else.',
      'Click “Add webhook”: GitHub sends a ping, which appears here as an ignored delivery.',
    ],
  },
  gitlab: {
    label: 'GitLab',
    steps: [
      'In the project or the group, open Settings → Webhooks → Add new webhook.',
      'Enter the address as the URL, and the secret as the signing token, or as the secret token of an older GitLab.',
      'Choose Deployment events, and Releases events if you want annotations for those too.',
    ],
  },
  jenkins: {
    label: 'Jenkins',
    steps: [
      'Install the Notification plugin, and add a notification endpoint to the job: format JSON, protocol HTTP, all events.',
      'Enter the address as the URL with a name and the secret before the host: https://jenkins:SECRET@…',
      'A parameter ENVIRONMENT or VERSION of the job is read as such.',
    ],
  },
  kubernetes: {
    label: 'Kubernetes',
    steps: [
      'Let kubernetes-event-exporter send its events, or a watcher its Deployments, to the address.',
      'Send the header Authorization: Bearer and the secret with them.',
    ],
  },
  netlify: {
    label: 'Netlify',
    environments: ['production'],
    steps: [
      'In the project, open Project configuration → Notifications → Deploy notifications → Add notification → HTTP POST request.',
      'Do this once for each of the events Deploy started, Deploy succeeded and Deploy failed.',
      'Enter the address as the URL to notify, and the secret as “JWS secret token”: without it Netlify does not sign.',
    ],
  },
  vercel: {
    label: 'Vercel',
    environments: ['production'],
    makesOwnSecret: true,
    steps: [
      'In the team, open Settings → Webhooks.',
      'Select the events Deployment Created, Deployment Succeeded, Deployment Error and Deployment Cancelled, and your projects.',
      'Enter the address as the endpoint, and click “Create Webhook”.',
      'Vercel shows the secret once: this integration has it from the form.',
    ],
  },
} as const satisfies Readonly<Record<string, PlatformRow>>

export type PlatformName = keyof typeof PLATFORM
export const PLATFORMS = Object.keys(PLATFORM) as PlatformName[]

export function platformRow(name: PlatformName): Required<PlatformRow> {
  return { environments: [], makesOwnSecret: false, ...PLATFORM[name] }
}
