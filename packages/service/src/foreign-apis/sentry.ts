/**
 * Sentry's releases and deploys, as sentry-cli makes them: https://docs.sentry.io/api/releases/, read 2026-11. A release is one
 * annotation of the type `release`, from when it was made until it was finalized; a deploy is one of the type `deploy`. The projects are
 * datasets, where some are called so.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { StoredAnnotation } from '@deployment-annotations/records/annotation-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { numberOf } from '../ids.ts'
import {
  type AnnotationApi,
  type ApiRequest,
  belongsTo,
  lineOf,
  placeOf,
  type RequestKind,
  textsOf,
  timeOf,
} from './annotation-api.ts'

/** The collection of releases, of an organization and of a project of it. */
const RELEASES = ['/api/0/organizations/:organization/releases', '/api/0/projects/:organization/:project/releases']
/** sentry-cli writes a slash at the end. */
const withSlash = (path: string) => [path, `${path}/`]

const releaseOperations = (releases: string): RequestKind[] => [
  ...withSlash(releases).map(
    (path): RequestKind => ({
      method: 'POST',
      path,
      does: 'put',
      status: 201,
      key: keyOf,
      read: readRelease,
      answer: toRelease,
    }),
  ),
  ...withSlash(`${releases}/:version`).flatMap((path): RequestKind[] => [
    { method: 'PUT', path, does: 'put', key: keyOf, read: readRelease, answer: toRelease },
    { method: 'GET', path, does: 'find', key: keyOf, answer: toRelease },
  ]),
  ...withSlash(`${releases}/:version/deploys`).flatMap((path): RequestKind[] => [
    {
      method: 'POST',
      path,
      does: 'create',
      status: 201,
      key: deployKeyOf,
      read: readDeploy,
      answer: ([made]) => made && toDeploy(made),
    },
    {
      method: 'GET',
      path,
      does: 'list',
      filter: () => ({}),
      answer: (found, request) => deploysOf(found, request).map(toDeploy),
    },
  ]),
]

export const sentry: AnnotationApi = {
  operations: [
    ...RELEASES.flatMap(releaseOperations),
    ...withSlash('/api/0').map(
      (path): RequestKind => ({
        method: 'GET',
        path,
        does: 'none',
        answer: () => ({ version: '0', auth: { scopes: ['project:releases'] }, user: null }),
      }),
    ),
  ],
}

function versionOf({ body, params }: ApiRequest): string {
  const version = lineOf(params.version ?? body.version)
  if (version === '') throw invalid(VALIDATION_CODES.required, `version is required, got ${showValue(body.version)}`)
  return version
}

function keyOf(request: ApiRequest): string {
  return `sentry/${request.params.organization}/${versionOf(request)}`
}

/** Two deploys of a release differ in where, or in when they ended, which sentry-cli always says. */
function deployKeyOf(request: ApiRequest): string | undefined {
  const { environment, name, dateStarted, dateFinished } = request.body
  return dateFinished ? JSON.stringify([keyOf(request), environment, name, dateStarted, dateFinished]) : undefined
}

const projectsOf = ({ body, params }: ApiRequest) => [...(Array.isArray(body.projects) ? body.projects : []), params.project]

function readRelease(request: ApiRequest) {
  const { body } = request
  const version = versionOf(request)
  const [project] = projectsOf(request).map(lineOf).filter(Boolean)
  const started = timeOf('dateStarted', body.dateStarted)
  const released = timeOf('dateReleased', body.dateReleased)
  const time = started ?? released
  return {
    ...textsOf({ title: project && !version.startsWith(`${project}@`) ? `${project} ${version}` : version, url: body.url }),
    ...belongsTo({ version: version.slice(version.lastIndexOf('@') + 1), service: project }),
    ...(time !== undefined && { time }),
    ...(released !== undefined && { endTime: released }),
    datasets: placeOf(projectsOf(request), request, 'call a dataset like the project'),
    type: 'release',
  }
}

function readDeploy(request: ApiRequest) {
  const { body } = request
  const version = versionOf(request)
  const environment = lineOf(body.environment)
  if (environment === '') throw invalid(VALIDATION_CODES.required, `environment is required, got ${showValue(body.environment)}`)
  const started = timeOf('dateStarted', body.dateStarted)
  const finished = timeOf('dateFinished', body.dateFinished)
  const time = started ?? finished
  return {
    ...textsOf({ title: `${version} ${environment}`, description: body.name, url: body.url }),
    ...belongsTo({ version: version.slice(version.lastIndexOf('@') + 1), environment }),
    ...(time !== undefined && { time }),
    ...(started !== undefined && finished !== undefined && { endTime: finished }),
    datasets: placeOf(
      [...projectsOf(request), version.slice(0, Math.max(0, version.lastIndexOf('@')))],
      request,
      'call a dataset like the project',
    ),
    type: 'deploy',
  }
}

function deploysOf(found: readonly StoredAnnotation[], request: ApiRequest) {
  const version = versionOf(request)
  return found.filter(({ type, title = '' }) => type === 'deploy' && title.startsWith(`${version} `))
}

function toRelease([found]: readonly StoredAnnotation[], request: ApiRequest) {
  if (!found) return undefined
  const version = versionOf(request)
  const created = formatTimestamp(BigInt(found.createdAtMs) * 1_000_000n)
  return {
    id: numberOf(found.id),
    version,
    shortVersion: version,
    url: found.url ?? null,
    dateCreated: created,
    dateReleased: found.endTimeNs === undefined ? null : formatTimestamp(found.endTimeNs),
    newGroups: 0,
    projects: projectsOf(request).flatMap((project) => (lineOf(project) === '' ? [] : [{ slug: project, name: project }])),
  }
}

function toDeploy({ id, title = '', description, url, timeNs, endTimeNs = timeNs, environment }: StoredAnnotation) {
  return {
    id: String(numberOf(id)),
    environment: environment ?? title.slice(title.lastIndexOf(' ') + 1),
    name: description ?? null,
    url: url ?? null,
    dateStarted: formatTimestamp(timeNs),
    dateFinished: formatTimestamp(endTimeNs),
  }
}
