import { Box, Flex, VisuallyHidden } from '@chakra-ui/react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Warnings } from '#shared/content-check.ts';
import { LONGEST } from '#shared/content-rules.ts';
import { PARTS, type Part } from '#shared/email/content.ts';
import { doubtsIn } from '#shared/email/doubts.ts';
import { LANGUAGES } from '#shared/email/language.ts';
import { isOwnName, variablesOf } from '#shared/email/placeholder.ts';
import type { NewEmailAsset } from '#shared/email-asset.ts';
import { Button } from '#web/components/button.tsx';
import { FieldWarnings } from '#web/components/form-fields.tsx';
import { Notice } from '#web/components/notice.tsx';
import { PART_TEXTS } from '#web/entities/email/parts.tsx';
import type { AutomationsRoute } from '#web/lib/automation-choice.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useDebounced } from '#web/lib/timers.ts';
import { AutomationPicker } from './automation-picker.tsx';
import { PartField } from './part-field.tsx';

export const LANGUAGE_OPTIONS = Object.entries(LANGUAGES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => a.label.localeCompare(b.label));

export const PART_FIELDS: readonly { part: Part; rows?: number; hint?: string }[] = [
  { part: 'subject_line' },
  { part: 'preheader', hint: 'Optional: shown after the subject in the inbox.' },
  {
    part: 'pre_cta_content',
    rows: 6,
    hint: '--- on a line of its own is a divider, | between words a table.',
  },
  { part: 'cta_text' },
  { part: 'cta_url' },
  { part: 'after_cta_content', rows: 4, hint: 'Optional.' },
  { part: 'footer', rows: 3, hint: 'With {{UNSUB_LINK}}: the link by which recipients unsubscribe.' },
];

/** All parts of an email, or some of them. */
export const PartFields = ({ parts }: { parts?: readonly Part[] }) =>
  PART_FIELDS.filter(({ part }) => !parts || parts.includes(part)).map(({ part, ...field }) => (
    <PartField
      key={part}
      {...field}
      name={part}
      part={part}
      label={PARTS[part]}
      explained={PART_TEXTS[part]}
      longest={LONGEST[part]}
    />
  ));

/** An example for a first email. The user has to add the address of the button. */
const EXAMPLE = {
  name: 'Welcome',
  subject_line: "Welcome, {{first_name | 'friend'}}",
  preheader: 'Good to have you with us.',
  pre_cta_content:
    "Hello {{first_name | 'there'}},\n\nthank you for joining us. Here is how to begin: it takes *a few minutes*.",
  cta_text: 'Get started',
} as const;

/** Fills in the example, unless there is content already, as in a copy. */
export function ExampleButton() {
  const { getValues, setValue, setFocus, formState } = useFormContext<Record<string, string>>();
  if (formState.defaultValues?.subject_line) return null;

  function fillIn() {
    for (const [field, text] of Object.entries(EXAMPLE)) {
      if (!getValues(field)) setValue(field, text, { shouldDirty: true });
    }
    // The only field that the example leaves empty.
    setFocus('cta_url');
  }

  return (
    <Flex wrap="wrap" align="center" columnGap="3" rowGap="1" mb="4">
      <Button onClick={fillIn}>Fill in an example</Button>
      <Box color="fg.muted" fontSize="sm">
        It greets each member by name.
      </Box>
    </Flex>
  );
}

type Asset = z.input<typeof NewEmailAsset>;

export function AssetContentField() {
  const type = useWatch<Asset, 'type'>({ name: 'type' });
  return <PartField name="value" part={type} label="Content" rows={6} longest={LONGEST[type]} />;
}

export const FOOTER = 'To unsubscribe from these emails, click here: {{UNSUB_LINK}}';

/** Says what a footer must contain, and fills in an empty one. */
export function FooterRule() {
  const { getValues, setValue } = useFormContext<Asset>();
  const isFooter = useWatch<Asset, 'type'>({ name: 'type' }) === 'footer';

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

export function AutomationsField({ route, most }: { route: AutomationsRoute; most?: number | undefined }) {
  const { field, fieldState } = useController<{ automation_ids?: string[] }, 'automation_ids'>({
    name: 'automation_ids',
  });
  return (
    <AutomationPicker
      label="Link to Automations"
      route={route}
      most={most}
      ref={field.ref}
      value={field.value ?? []}
      onChange={field.onChange}
      error={fieldState.error?.message}
    />
  );
}

type WarningsProps = {
  route: 'POST /api/email-assets-check' | 'POST /api/email-templates-check';
  texts: readonly string[];
  children: ReactNode;
};

const PAUSE = 500;
const NONE: Warnings = {};

export function ContentWarnings({ route, texts, children }: WarningsProps) {
  const values = useWatch() as Record<string, unknown>;
  const written = texts.flatMap(field => (values[field] ? [[field, String(values[field])] as const] : []));
  const type = String(values.type);
  const hasVariables = written.some(([, text]) => variablesOf(text).some(({ name }) => !isOwnName(name)));
  const draft = hasVariables
    ? JSON.stringify({ ...Object.fromEntries(written), automation_ids: values.automation_ids ?? [] })
    : '';
  const settled = useDebounced(draft, PAUSE);
  const call = useOrganizationCall();
  const [warnings, setWarnings] = useState(NONE);

  useEffect(() => {
    if (!settled) return setWarnings(NONE);
    const left = new AbortController();
    call(route, { body: JSON.parse(settled), signal: left.signal, isRefusalExpected: true })
      .then(answer => setWarnings(answer.warnings))
      // Creating the content reports the same warnings and errors.
      .catch(() => undefined);
    return () => left.abort();
  }, [call, route, settled]);

  const typed = useDebounced(JSON.stringify(written), PAUSE);
  const doubts = useMemo(
    () =>
      (JSON.parse(typed) as typeof written).map(([field, text]) => {
        const part = (field === 'value' ? type : field) as Part;
        return [field, doubtsIn(part, text).map(doubt => doubt.replace(/[^.]$/, '$&.'))] as const;
      }),
    [typed, type],
  );
  const shown: Warnings = { ...(draft && warnings) };
  for (const [field, found] of doubts)
    if (found.length > 0) shown[field] = [...found, ...(shown[field] ?? [])];
  return (
    <FieldWarnings value={shown}>
      {children}
      <VisuallyHidden role="status">{Object.values(shown).flat().join(' ')}</VisuallyHidden>
    </FieldWarnings>
  );
}
