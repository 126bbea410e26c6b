import { Box } from '@chakra-ui/react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { type FieldValues, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { LinkedTemplate } from '#shared/automation-content.ts';
import { MOST_LINKED_SET } from '#shared/automation-link.ts';
import { LONGEST_NAME } from '#shared/content-rules.ts';
import { PART_NAMES, PARTS } from '#shared/email/content.ts';
import { UNSUBSCRIBE } from '#shared/email/placeholder.ts';
import { ASSET_EXISTS, NewEmailAsset } from '#shared/email-asset.ts';
import { type CreatedEmailAssetSet, NewEmailAssetSet } from '#shared/email-asset-set.ts';
import { NewEmailTemplate, TemplateData, templateVersionAfter } from '#shared/email-template.ts';
import { nameOfCopy } from '#shared/names.ts';
import { CreationForm } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { optionsOf } from '#web/components/select.tsx';
import { RESULT_DURATION } from '#web/entities/content/content.ts';
import type { PreviewProps } from '#web/entities/email/email-preview.tsx';
import { partsOf, sampleEmailWith, TYPE_TEXT } from '#web/entities/email/parts.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import {
  AssetContentField,
  AutomationsField,
  ContentWarnings,
  ExampleButton,
  FOOTER,
  FooterRule,
  LANGUAGE_OPTIONS,
  PartFields,
} from './content-fields.tsx';
import type { AssetCopy } from './duplicate.ts';
import { PreviewPane, WithPreview } from './form-preview.tsx';
import { lockedText } from './locked-note.tsx';

const CREATED = 201;
const DUPLICATE_DURATION = 5000;

/** What differs between the forms of new content. */
type Kind<Values extends FieldValues, Output> = {
  schema: z.ZodMiniType<Output, Values>;
  empty: Values;
  /** The values of the content that is duplicated; undefined without any. */
  copied?: (copy: unknown) => Values | undefined;
  /** The page that Cancel leads to, and that is shown at the end, unless the content is for an automation. */
  home: string;
  /** Creates the content, and returns the message about it, and the page that is shown then, if it is not `home`. */
  create: (
    change: ReturnType<typeof useOrganizationChange>,
    body: Output,
  ) => Promise<{ message: string; page?: string }>;
  failure: string;
  /** By default a toast; null for a line within the form. */
  onFailure?: ((message: string, problem: unknown) => void) | null;
  submit: string;
  submitAndContinue?: string;
  /** The fields that the form of the next one keeps. */
  kept?: readonly (keyof Values & keyof Output)[];
  /** The route that warns about these texts. */
  check: 'POST /api/email-assets-check' | 'POST /api/email-templates-check';
  texts: readonly string[];
  /** Beside the buttons. */
  note: string;
  Fields: ComponentType;
  emailOf: (values: Partial<Values>) => Pick<PreviewProps, 'content' | 'language'>;
};

type TemplateValues = z.input<typeof NewEmailTemplate>;
const templateFields = fieldsOf<TemplateValues>();

const EMPTY_PARTS = Object.fromEntries(PART_NAMES.map(part => [part, ''])) as Record<
  (typeof PART_NAMES)[number],
  string
>;

const TEMPLATE: Kind<TemplateValues, NewEmailTemplate> = {
  schema: NewEmailTemplate,
  empty: {
    name: '',
    ...EMPTY_PARTS,
    footer: `{{${UNSUBSCRIBE}}}`,
    language_code: 'en',
    is_active: true,
    automation_ids: [],
  },
  // The copy was stored in the browser, so its shape is not certain.
  copied: copy => {
    const { data } = TemplateData.safeParse(copy);
    return (
      data && { ...data, preheader: data.preheader ?? '', after_cta_content: data.after_cta_content ?? '' }
    );
  },
  home: paths.emailTemplates(),
  create: async (change, body) => {
    await change('POST /api/email-templates', { body, expectedStatus: CREATED });
    return { message: 'Email template created successfully!' };
  },
  failure: 'Failed to create email template',
  submit: 'Create Email Template',
  submitAndContinue: 'Create Email Template and Continue',
  kept: ['language_code', 'is_active', 'automation_ids'],
  check: 'POST /api/email-templates-check',
  texts: PART_NAMES,
  note: lockedText('template'),
  Fields: () => {
    const { TextField, SelectField, CheckboxField } = templateFields;
    return (
      <>
        <ExampleButton />
        <TextField name="name" label="Template Name" autoComplete="off" />
        <SelectField name="language_code" label="Language" options={LANGUAGE_OPTIONS} />
        <PartFields />
        <CheckboxField name="is_active" hint="Inactive templates are not available in automations.">
          Active
        </CheckboxField>
        <Box mt="4">
          <AutomationsField route="GET /api/automations-for-templates" />
        </Box>
      </>
    );
  },
  emailOf: values => ({ content: partsOf(values), language: values.language_code ?? 'en' }),
};

type AssetValues = z.input<typeof NewEmailAsset>;
const assetFields = fieldsOf<AssetValues>();

const TYPES = optionsOf(PARTS);
const EMPTY_ASSET: AssetValues = {
  name: '',
  type: 'subject_line',
  value: '',
  is_active: true,
  automation_ids: [],
};

const ASSET: Kind<AssetValues, NewEmailAsset> = {
  schema: NewEmailAsset,
  empty: EMPTY_ASSET,
  copied: copy => {
    if (!copy) return undefined;
    const { name, ...rest } = copy as AssetCopy;
    return { ...EMPTY_ASSET, ...rest, name: name ? nameOfCopy(name, LONGEST_NAME) : '' };
  },
  home: paths.emailAssets(),
  create: async (change, body) => {
    await change('POST /api/email-assets', { body, expectedStatus: CREATED });
    return { message: 'Email asset created successfully!' };
  },
  failure: 'Failed to create email asset',
  onFailure: (message, problem) => {
    const exists =
      problem instanceof Problem && problem.fields.value?.some(text => text.includes('already exists'));
    if (exists) toast(ASSET_EXISTS, 'error', DUPLICATE_DURATION);
    else toast(message, 'error', RESULT_DURATION);
  },
  submit: 'Create Email Asset',
  submitAndContinue: 'Create Email Asset and Continue',
  kept: ['type', 'is_active', 'automation_ids'],
  check: 'POST /api/email-assets-check',
  texts: ['value'],
  note: lockedText('asset'),
  Fields: () => {
    const { TextField, SelectField } = assetFields;
    return (
      <>
        <TextField
          name="name"
          label="Name"
          hint="Optional: for you and your colleagues."
          autoComplete="off"
        />
        <SelectField name="type" label="Type" explained={[TYPE_TEXT, 'assets']} options={TYPES} />
        <FooterRule />
        <AssetContentField />
        <AssetSettings />
      </>
    );
  },
  emailOf: ({ type = 'subject_line', value = '' }) => ({
    content: sampleEmailWith(type, value),
    language: 'en',
  }),
};

type SetValues = z.input<typeof NewEmailAssetSet>;
const setFields = fieldsOf<SetValues>();

const ASSET_SET: Kind<SetValues, NewEmailAssetSet> = {
  schema: NewEmailAssetSet,
  empty: { name: '', ...EMPTY_PARTS, footer: FOOTER, is_active: true, automation_ids: [] },
  home: paths.emailAssets(),
  create: async (change, body) => {
    const set = await change('POST /api/email-asset-sets', { body, expectedStatus: CREATED });
    return { message: createdText(set, body.automation_ids.length > 0) };
  },
  failure: 'Failed to create email assets',
  submit: 'Create asset set',
  // The check for templates warns about the same parts.
  check: 'POST /api/email-templates-check',
  texts: PART_NAMES,
  note: lockedText('asset'),
  Fields: () => (
    <>
      <setFields.TextField
        name="name"
        label="Name"
        hint="Optional: for you and your colleagues. Each asset gets it."
      />
      <PartFields />
      <AssetSettings most={MOST_LINKED_SET} />
    </>
  ),
  emailOf: values => ({ content: partsOf(values), language: 'en' }),
};

/** The message about a created set. Assets that exist already were not created again. */
export function createdText({ created, existing }: CreatedEmailAssetSet, isLinked: boolean): string {
  const count = existing.length;
  const linked = isLinked ? (count === 1 ? ' and is linked' : ' and are linked') : '';
  if (created.length === 0) return `All of these email assets existed already${linked}.`;
  const text = `${plural(created.length, 'email asset')} created`;
  return count === 0 ? `${text}.` : `${text}, ${count} existed already${linked}.`;
}

const AssetSettings = ({ most }: { most?: number }) => (
  <>
    <Box mt="2">
      <AutomationsField route="GET /api/automations-for-assets" most={most} />
    </Box>
    <assetFields.CheckboxField name="is_active" hint="Inactive assets are not used in emails.">
      Active
    </assetFields.CheckboxField>
  </>
);

type Props = {
  copy?: unknown;
  /** The template whose texts the form begins with, under another name, for the same automation. */
  variant?: LinkedTemplate | undefined;
  /** The automation that the content is created for. The form leads back to its page. */
  automation: string | null;
  /** That it is activated then. */
  activates: boolean;
  /** Called when the form is cleared for the next one. */
  onContinue?: () => void;
};

const copyOf = ({ name, language_code, texts }: LinkedTemplate, automation: string | null) => ({
  ...texts,
  name: nameOfCopy(name, LONGEST_NAME),
  language_code,
  is_active: true,
  automation_ids: automation ? [automation] : [],
});

type Linked = { automation_ids?: string[] | undefined; is_active?: boolean | undefined };

function NewContent<Values extends FieldValues & Linked, Output extends Linked>(
  props: Props & { kind: Kind<Values, Output> },
) {
  const { kind, variant, automation, activates, onContinue } = props;
  const copy = props.copy ?? (variant && copyOf(variant, automation));
  const { empty, kept = [], Fields, check, texts } = kind;
  const change = useOrganizationChange();

  async function create(body: Output) {
    const { message, page } = await kind.create(change, body);
    const isDone = !activates || automation === null || (await activate(automation, body));
    if (isDone) toast(message, 'success', RESULT_DURATION);
    else toast(`${message} The automation is not active.`, 'error', RESULT_DURATION);
    return automation ? undefined : page;
  }

  /** Returns false if that fails, or is declined: the content exists by then, so the form must not be submitted again. */
  async function activate(automation: string, { automation_ids, is_active }: Output) {
    if (!is_active || !automation_ids?.includes(automation)) return false;
    const activation = { params: { automation }, body: { active: true } };
    return change('PUT /api/automations/{automation}', activation).then(
      () => true,
      () => false,
    );
  }

  /** The next one keeps the settings, but not the content. */
  function next(created: Output): Values {
    onContinue?.();
    return { ...empty, ...Object.fromEntries(kept.map(field => [field, created[field]])) };
  }

  return (
    <WithPreview>
      <CreationForm
        schema={kind.schema}
        initial={kind.copied?.(copy) ?? { ...empty, automation_ids: automation ? [automation] : [] }}
        create={create}
        next={next}
        home={automation ? paths.automation(automation) : kind.home}
        submit={kind.submit}
        submitAndContinue={kind.submitAndContinue}
        note={kind.note}
        loadingText={kind.onFailure === null ? 'Saving...' : 'Creating...'}
        failure={kind.failure}
        {...(kind.onFailure !== null && {
          onFailure: kind.onFailure ?? (message => toast(message, 'error', RESULT_DURATION)),
        })}
      >
        <ContentWarnings route={check} texts={texts}>
          <Fields />
          <Preview emailOf={kind.emailOf} />
        </ContentWarnings>
      </CreationForm>
    </WithPreview>
  );
}

function Preview<Values extends FieldValues & Linked>({ emailOf }: Pick<Kind<Values, unknown>, 'emailOf'>) {
  const values = useWatch<Values>() as Partial<Values>;
  return <PreviewPane {...emailOf(values)} automations={values.automation_ids ?? []} />;
}

/** The form of the next version: the fields that are not shown keep their values, for the preview and the warnings. */
type WordingProps = { id: string; version: number; values: unknown; back: string | undefined };
type Version = { id: string; version: number };

const wordingOf = <Values extends FieldValues & Linked, Output extends Linked>(
  kind: Kind<Values, Output>,
  Content: () => ReactNode,
  pathOf: (id: string) => string,
  save: (change: ReturnType<typeof useOrganizationChange>, id: string, body: Output) => Promise<Version>,
  schemaAfter?: (before: Values) => Kind<Values, Output>['schema'],
) =>
  function Wording({ id, version, values, back }: WordingProps) {
    const { submitAndContinue: _, ...same } = kind;
    const [schema] = useState(() => schemaAfter?.(values as Values) ?? kind.schema);
    const next: Kind<Values, Output> = {
      ...same,
      schema,
      copied: stored => ({ ...kind.empty, ...(stored as Values) }),
      home: back ?? pathOf(id),
      create: async (change, body) => {
        const made = await save(change, id, body);
        return { message: `Version ${made.version} was saved.`, page: back ?? pathOf(made.id) };
      },
      failure: 'Failed to save the wording',
      onFailure: null,
      submit: 'Save wording',
      note: `Automations use the new wording at once; version ${version} stays in reports and in the log.`,
      Fields: Content,
    };
    return <NewContent kind={next} copy={values} automation={null} activates={false} />;
  };

const WORDINGS = {
  template: wordingOf(
    TEMPLATE,
    () => <PartFields />,
    paths.emailTemplate,
    (change, emailTemplate, body) =>
      change('POST /api/email-templates/{emailTemplate}/versions', {
        params: { emailTemplate },
        body,
        expectedStatus: CREATED,
      }),
    before => z.extend(NewEmailTemplate, templateVersionAfter(before).shape),
  ),
  asset: wordingOf(ASSET, AssetContentField, paths.emailAsset, (change, emailAsset, { value }) =>
    change('POST /api/email-assets/{emailAsset}/versions', {
      params: { emailAsset },
      body: { value },
      expectedStatus: CREATED,
    }),
  ),
};

export function WordingForm({ kind, ...props }: WordingProps & { kind: keyof typeof WORDINGS }) {
  const Form = WORDINGS[kind];
  return <Form {...props} />;
}

const FORMS = {
  template: (props: Props) => <NewContent {...props} kind={TEMPLATE} />,
  asset: (props: Props) => <NewContent {...props} kind={ASSET} />,
  set: (props: Props) => <NewContent {...props} kind={ASSET_SET} />,
};

export default function ContentForm({ kind, ...props }: Props & { kind: keyof typeof FORMS }) {
  const Form = FORMS[kind];
  return <Form {...props} />;
}
