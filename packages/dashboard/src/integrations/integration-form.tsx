/** The form that creates or changes an integration: whose deployments are annotated, on which charts, and how. */

import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { INTEGRATION_NAME_POINTS_MAX, TITLE_FACTS } from '@deployment-annotations/contract/integration'
import { PLATFORMS, type PlatformName, platformRow } from '@deployment-annotations/contract/platform'
import type { Integration, MadeIntegration } from '@deployment-annotations/contract/schemas/integration'
import { useState } from 'preact/hooks'
import { CopyLines } from '../parts/copy.tsx'
import { DatasetChoice } from '../parts/dataset-choice.tsx'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { checkDatasetNames } from '../parts/plain-words.ts'
import { Select } from '../parts/select.tsx'
import { splitNames } from '../parts/split-names.ts'
import { TypeField } from '../parts/type-field.tsx'
import { useLoad } from '../parts/use-load.ts'
import { datasetRequests } from '../service/datasets.ts'
import { integrationRequests } from '../service/integrations.ts'
import { may } from '../service/session.ts'
import { MappingField } from './mapping-field.tsx'
import { SecretField } from './new-secret.tsx'
import { changeOf, integrationOf, NEW_TEXTS, type SettingTexts, textsOf, webhookUrl, withPlatform } from './platform-text.ts'

interface IntegrationFormProps {
  /** Absent for a new integration. */
  integration?: Integration
  onClose: () => void
  onMade: (made: MadeIntegration) => void
  onChanged: () => void
}

export function IntegrationForm({ integration, onClose, onMade, onChanged }: IntegrationFormProps) {
  const [before] = useState(() => (integration ? textsOf(integration) : NEW_TEXTS))
  const [texts, setTexts] = useState(before)
  const { data } = useLoad(may('datasets|read') ? datasetRequests.list : undefined, [])
  const names = data?.map(({ name }) => name) ?? splitNames(before.datasets)
  const change = (some: Partial<SettingTexts>) => setTexts((now) => ({ ...now, ...some }))
  const save = async () => {
    const chosen = splitNames(texts.datasets)
    if (chosen.length === 0) throw new Error('Choose at least one dataset to mark.')
    checkDatasetNames(chosen)
    if (!integration) return onMade(await integrationRequests.create(integrationOf(texts)))
    await integrationRequests.change(integration.id, changeOf(before, texts))
    onChanged()
  }
  return (
    <FormDialog
      title={integration ? 'Change the integration' : 'New integration'}
      className="integration-form"
      action={integration ? 'Save' : 'Create'}
      task={save}
      onClose={onClose}
    >
      {!integration && <PlatformField texts={texts} onPick={(platform) => setTexts(withPlatform(texts, platform))} />}
      <Settings texts={texts} datasets={names} onChange={change} />
      {texts.platform === 'generic' && <MappingField texts={texts} onChange={(mapping) => change({ mapping })} />}
      {!integration && (
        <SecretField
          platform={texts.platform}
          secret={texts.secret}
          isRequired={platformRow(texts.platform).makesOwnSecret === true}
          onChange={(secret) => change({ secret: secret.trim() })}
        />
      )}
    </FormDialog>
  )
}

function PlatformField({ texts: { platform }, onPick }: { texts: SettingTexts; onPick: (platform: PlatformName) => void }) {
  return (
    <>
      <label for="integration-platform">Who reports the deployments</label>
      <Select
        id="integration-platform"
        value={platform}
        options={[...PLATFORMS].sort().map((name) => [name, platformRow(name).label])}
        onPick={onPick}
      />
      {platformRow(platform).makesOwnSecret === true && (
        <>
          <p class="hint">
            {platformRow(platform).label} makes the secret: first create the webhook there, with this address, and then come back
            with the secret.
          </p>
          <CopyLines text={webhookUrl(location.origin, platform)} of="the address" />
        </>
      )}
    </>
  )
}

interface SettingsProps {
  texts: SettingTexts
  datasets: readonly string[]
  onChange: (some: Partial<SettingTexts>) => void
}

function Settings({ texts, datasets, onChange }: SettingsProps) {
  const field = (name: 'name' | 'type' | 'title' | 'environments' | 'rules') => ({
    id: `integration-${name}`,
    value: texts[name],
    onText: (text: string) => onChange({ [name]: text }),
  })
  return (
    <>
      <DatasetChoice
        legend="Datasets to mark"
        datasets={datasets}
        value={texts.datasets}
        onChange={(chosen) => onChange({ datasets: chosen })}
      />
      <Field {...field('name')} label="Name" maxLength={INTEGRATION_NAME_POINTS_MAX} placeholder={texts.platform} />
      <Field {...field('environments')} label="Only these environments, separated by commas" placeholder="all" />
      <Field
        {...field('rules')}
        label="Elsewhere, one rule a line: the first that matches counts"
        rows={3}
        spellcheck={false}
        placeholder="acme/shop-* | staging | shop-staging | staging-deploy"
        hint="Repository or project, environment, datasets, type, between bars. Nothing stands for any, * for any characters; without datasets it is not marked."
      />
      <TypeField {...field('type')} label="Type of the annotations" required />
      <Field
        {...field('title')}
        label="Title of the annotations"
        required
        maxLength={TITLE_POINTS_MAX}
        hint={`It may have ${TITLE_FACTS.map((fact) => `{${fact}}`).join(', ')}; what is not known leaves no gap.`}
      />
    </>
  )
}
