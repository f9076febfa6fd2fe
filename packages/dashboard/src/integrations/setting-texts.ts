/** Between the settings of an integration and the texts of its form. Pure. */
import {
  DEFAULT_ENVIRONMENTS,
  INTEGRATION_TITLE_DEFAULT,
  INTEGRATION_TYPE_DEFAULT,
  type PlatformName,
} from '@deployment-annotations/contract/integration'
import type { Integration, IntegrationChange, NewIntegration } from '@deployment-annotations/contract/schemas/integration'
import { splitNames } from '../parts/split-names.ts'

/** What the inputs hold. */
export interface SettingTexts {
  platform: PlatformName
  name: string
  /** Separated by commas. */
  datasets: string
  type: string
  title: string
  /** Separated by commas; empty for all. */
  environments: string
  /** Of a new one; empty where the service is to make it. */
  secret: string
}

export const NEW_TEXTS: SettingTexts = {
  platform: 'github',
  name: '',
  datasets: '',
  type: INTEGRATION_TYPE_DEFAULT,
  title: INTEGRATION_TITLE_DEFAULT,
  environments: DEFAULT_ENVIRONMENTS.github.join(', '),
  secret: '',
}

export function textsOf({ platform, name, datasets, type, title, environments }: Integration): SettingTexts {
  return { platform, name, datasets: datasets.join(', '), type, title, environments: environments.join(', '), secret: '' }
}

/** Another platform has other environments by default; what was typed stays. */
export function withPlatform(texts: SettingTexts, platform: PlatformName): SettingTexts {
  const isDefault = texts.environments === DEFAULT_ENVIRONMENTS[texts.platform].join(', ')
  return { ...texts, platform, ...(isDefault && { environments: DEFAULT_ENVIRONMENTS[platform].join(', ') }) }
}

/** @returns what a create sends */
export function integrationOf({ platform, secret, ...texts }: SettingTexts): NewIntegration {
  const { name, ...settings } = settingsOf(texts)
  return { platform, ...settings, ...(name !== '' && { name }), ...(secret !== '' && { secret }) }
}

/** @returns what a change sends: only what was edited, so that it does not undo another person's change */
export function changeOf(before: SettingTexts, texts: SettingTexts): IntegrationChange {
  const members = Object.entries(settingsOf(texts))
  return Object.fromEntries(members.filter(([name]) => texts[name as keyof SettingTexts] !== before[name as keyof SettingTexts]))
}

function settingsOf({ name, datasets, type, title, environments }: Omit<SettingTexts, 'platform' | 'secret'>) {
  return { name: name.trim(), datasets: splitNames(datasets), type, title, environments: splitNames(environments) }
}
