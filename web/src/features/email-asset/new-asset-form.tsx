import { Box } from '@chakra-ui/react';
import { useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import { LONGEST, LONGEST_NAME } from '#shared/content-rules.ts';
import { PARTS, type Part } from '#shared/email/content.ts';
import { ASSET_EXISTS, NewEmailAsset } from '#shared/email-asset.ts';
import { nameOfCopy } from '#shared/names.ts';
import { CreationForm } from '#web/components/creation-form.tsx';
import { fieldsOf } from '#web/components/form-fields.ts';
import { Notice } from '#web/components/notice.tsx';
import { AutomationsField } from '#web/entities/email/automations-field.tsx';
import { ContentWarnings } from '#web/entities/email/content-warnings.tsx';
import { LockedNote } from '#web/entities/email/locked-note.tsx';
import { TYPE_TEXT } from '#web/entities/email/part-texts.ts';
import { PlaceholderHelp } from '#web/entities/email/placeholder-help.tsx';
import { PreviewPane } from '#web/entities/email/preview-pane.tsx';
import { WithPreview } from '#web/entities/email/with-preview.tsx';
import { ASSET_TOAST_DURATION, useAutomationsForAssets } from '#web/entities/email-asset/email-asset.ts';
import { useOrganizationChange } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import type { AssetCopy } from './asset-copy.ts';
import { DUPLICATE_TOAST_DURATION, FOOTER } from './asset-texts.ts';
import { sampleEmailWith } from './sample-email-with.ts';

type Values = z.input<typeof NewEmailAsset>;
const { TextField, TextareaField, SelectField, CheckboxField } = fieldsOf<Values>();

const EMPTY: Values = { name: '', type: 'subject_line', value: '', is_active: true, automation_ids: [] };
const TYPES = Object.entries(PARTS).map(([value, label]) => ({ value, label }));
const FAILURE = 'Failed to create email asset';
const CREATED = 201;
const TEXTS = ['value'];

type Props = {
  copy: AssetCopy | undefined;
  /** The automation that the asset is created for. The form leads back to its page. */
  automation: string | null;
};

export default function NewAssetForm({ copy, automation }: Props) {
  const initial = copy
    ? { ...EMPTY, ...copy, name: copy.name ? nameOfCopy(copy.name, LONGEST_NAME) : '' }
    : { ...EMPTY, automation_ids: automation ? [automation] : [] };
  const change = useOrganizationChange();
  const automations = useAutomationsForAssets();

  async function create(body: NewEmailAsset) {
    await change('POST /api/email-assets', { body, expectedStatus: CREATED });
    toast('Email asset created successfully!', 'success', ASSET_TOAST_DURATION);
  }

  return (
    <WithPreview>
      <LockedNote kind="asset" isNew />
      <CreationForm
        schema={NewEmailAsset}
        initial={initial}
        create={create}
        next={({ type, is_active, automation_ids }) => ({
          ...EMPTY,
          ...{ type, is_active, automation_ids },
        })}
        home={automation ? paths.automation(automation) : paths.emailAssets()}
        submit="Create Email Asset"
        submitAndContinue="Create Email Asset and Continue"
        loadingText="Creating..."
        failure={FAILURE}
        onFailure={toastFailed}
      >
        {isNext => (
          <ContentWarnings route="POST /api/email-assets-check" texts={TEXTS}>
            <TextField
              name="name"
              label="Name"
              hint="Optional: for you and your colleagues."
              autoComplete="off"
              autoFocus={isNext}
            />
            <SelectField name="type" label="Type" explained={TYPE_TEXT} options={TYPES} />
            <FooterRule />
            <PlaceholderHelp />
            <Content />
            <Box mt="2">
              <AutomationsField
                label="Link to Automations"
                options={automations.data}
                problem={automations.error}
                onRetry={automations.mutate}
              />
            </Box>
            <CheckboxField name="is_active" hint="Inactive assets are not used in emails.">
              Active
            </CheckboxField>
            <AssetPreview />
          </ContentWarnings>
        )}
      </CreationForm>
    </WithPreview>
  );
}

function toastFailed(message: string, problem: unknown) {
  const isThere =
    problem instanceof Problem && problem.fields.value?.some(text => text.includes('already exists'));
  if (isThere) toast(ASSET_EXISTS, 'error', DUPLICATE_TOAST_DURATION);
  else toast(message, 'error', ASSET_TOAST_DURATION);
}

function Content() {
  const type = useWatch<Values, 'type'>({ name: 'type' });
  return <TextareaField name="value" label="Content" rows={6} longest={LONGEST[type]} dir="auto" />;
}

/** Says what a footer must contain, and fills in an empty one. */
function FooterRule() {
  const { getValues, setValue } = useFormContext<Values>();
  const isFooter = useWatch<Values, 'type'>({ name: 'type' }) === 'footer';

  useEffect(() => {
    const { value } = getValues();
    if (isFooter && value.trim() === '') setValue('value', FOOTER, { shouldDirty: true });
    if (!isFooter && value === FOOTER) setValue('value', '', { shouldDirty: true });
  }, [isFooter, getValues, setValue]);

  if (!isFooter) return null;
  return (
    <Notice tone="warning" mb="4">
      {'{{UNSUB_LINK}}'} is mandatory in a footer: it becomes the link by which recipients unsubscribe.
    </Notice>
  );
}

type Written = { type: Part; value: string; automation_ids: string[] };

/** A preview of the input within an email. */
function AssetPreview() {
  const { type = 'subject_line', value = '', automation_ids } = useWatch<Values>() as Partial<Written>;
  const content = sampleEmailWith(type, value);
  return <PreviewPane content={content} language="en" automations={automation_ids} />;
}
