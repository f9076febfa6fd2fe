/**
 * Rows that pass a condition, counted.
 * Deliberately not here: what a shape is; see `shape.ts`.
 */
import { countWhere, type Shape, shape } from './shape.ts'

export const FILTERS: readonly Shape[] = [
  shape(
    'where number ==',
    (n) => `| where bytes == ${700 + n} | count`,
    (n) => countWhere(`data.bytes.:Int64 = ${700 + n}`),
  ),
  shape(
    'where number >',
    (n) => `| where took > ${900 + n / 100} | count`,
    (n) => countWhere(`data.took.:Float64 > ${900 + n / 100}`),
  ),
  shape(
    'where text ==',
    (n) => `| where host == 'web-${n % 40}' | count`,
    (n) => countWhere(`data.host.:String = 'web-${n % 40}'`),
  ),
  shape(
    'where contains',
    (n) => `| where path contains 'Users/${n + 10}' | count`,
    (n) => countWhere(`data.path.:String ILIKE '%Users/${n + 10}%'`),
  ),
  shape(
    'where contains_cs',
    (n) => `| where path contains_cs 'users/${n + 10}' | count`,
    (n) => countWhere(`data.path.:String LIKE '%users/${n + 10}%'`),
  ),
  shape(
    'where startswith_cs',
    (n) => `| where path startswith_cs '/api/users/${n + 10}' | count`,
    (n) => countWhere(`startsWith(data.path.:String, '/api/users/${n + 10}')`),
  ),
  shape(
    'where has',
    (n) => `| where path has '${n + 10}' | count`,
    (n) => countWhere(`hasTokenCaseInsensitive(data.path.:String, '${n + 10}')`),
  ),
  shape(
    'where has, of two terms',
    (n) => `| where path has 'users/${n + 10}' | count`,
    (n) => countWhere(`match(data.path.:String, '(?i)\\\\busers/${n + 10}\\\\b')`),
  ),
  shape(
    'where matches regex',
    (n) => `| where path matches regex 'users/[0-9]*${n + 10}/' | count`,
    (n) => countWhere(`match(data.path.:String, 'users/[0-9]*${n + 10}/')`),
  ),
  shape(
    'where in a list',
    (n) => `| where host in ('web-${n % 40}', 'web-7', 'web-9', 'web-21') | count`,
    (n) => countWhere(`data.host.:String IN ('web-${n % 40}', 'web-7', 'web-9', 'web-21')`),
  ),
  shape(
    'where has_any',
    (n) => `| where path has_any ('${n + 10}', '${n + 500}') | count`,
    (n) =>
      countWhere(
        `(hasTokenCaseInsensitive(data.path.:String, '${n + 10}') OR hasTokenCaseInsensitive(data.path.:String, '${n + 500}'))`,
      ),
  ),
  shape(
    'where =~',
    (n) => `| where host =~ 'WEB-${n % 40}' | count`,
    (n) => countWhere(`lowerUTF8(data.host.:String) = 'web-${n % 40}'`),
  ),
  shape(
    'where tolower() ==',
    (n) => `| where tolower(host) == 'web-${n % 40}' | count`,
    (n) => countWhere(`lowerUTF8(data.host.:String) = 'web-${n % 40}'`),
  ),
  shape(
    'where tostring() startswith',
    (n) => `| where tostring(bytes) startswith '${n + 10}' | count`,
    (n) => countWhere(`startsWith(toString(data.bytes.:Int64), '${n + 10}')`),
  ),
  shape(
    'where between',
    (n) => `| where bytes between (${n * 100} .. ${n * 100 + 9_000}) | count`,
    (n) => countWhere(`data.bytes.:Int64 BETWEEN ${n * 100} AND ${n * 100 + 9_000}`),
  ),
  shape(
    'where ipv4_is_in_range',
    (n) => `| where ipv4_is_in_range(client_ip, '10.${n}.0.0/16') | count`,
    (n) => countWhere(`toIPv4OrNull(data.client_ip.:String) BETWEEN toIPv4('10.${n}.0.0') AND toIPv4('10.${n}.255.255')`),
  ),
  shape(
    'where and or not',
    (n) => `| where (status == 500 or method == 'PUT') and not(region == 'eu-west') and took > ${n} | count`,
    (n) =>
      countWhere(
        `(data.status.:Int64 = 500 OR data.method.:String = 'PUT') AND data.region.:String != 'eu-west' AND data.took.:Float64 > ${n}`,
      ),
  ),
  shape(
    'search term',
    (n) => `| search 'web-${n % 40}' | count`,
    (n) =>
      countWhere(
        `(${['client_ip', 'host', 'method', 'path', 'region', 'user.plan'].map((name) => `data.${name}.:String ILIKE '%web-${n % 40}%' AND match(data.${name}.:String, '(?i)\\\\bweb-${n % 40}\\\\b')`).join(' OR ')} OR arrayExists(tag -> match(tag, '(?i)\\\\bweb-${n % 40}\\\\b'), data.tags.:\`Array(Nullable(String))\`))`,
      ),
  ),
  shape(
    'search one word',
    (n) => `| search 'orders${n}' | count`,
    (n) =>
      countWhere(
        `(${['client_ip', 'host', 'method', 'path', 'region', 'user.plan'].map((name) => `hasTokenCaseInsensitive(data.${name}.:String, 'orders${n}')`).join(' OR ')} OR arrayExists(tag -> hasTokenCaseInsensitive(tag, 'orders${n}'), data.tags.:\`Array(Nullable(String))\`))`,
      ),
  ),
]
