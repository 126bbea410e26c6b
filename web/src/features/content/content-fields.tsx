import { Box, Flex, VisuallyHidden } from '@chakra-ui/react';
import {
  type ClipboardEvent,
  type DragEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Warnings } from '#shared/content-check.ts';
import { LONGEST } from '#shared/content-rules.ts';
import { isMarkdown, PARTS, type Part } from '#shared/email/content.ts';
import { doubtsIn } from '#shared/email/doubts.ts';
import { LANGUAGES } from '#shared/email/language.ts';
import { isOwnName, variablesOf } from '#shared/email/placeholder.ts';
import type { NewEmailAsset } from '#shared/email-asset.ts';
import { EMAIL_IMAGE_TYPES } from '#shared/image-limits.ts';
import { Button } from '#web/components/button.tsx';
import { FieldWarnings, fieldsOf } from '#web/components/form-fields.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { PART_TEXTS } from '#web/entities/email/parts.tsx';
import type { AutomationsRoute } from '#web/lib/automation-choice.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useDebounced } from '#web/lib/timers.ts';
import { AutomationPicker } from './automation-picker.tsx';

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

const loadTools = () => import('./writing-tools.tsx');
const InsertMenu = onDemand(async () => ({ default: (await loadTools()).InsertMenu }), <Box height="5" />);
const Toolbar = onDemand(loadTools, <Box height="control" />);
const ImageDialog = onDemand(() => import('./image-dialog.tsx'));

const { TextField, TextareaField } = fieldsOf<Record<string, string>>();

type PartProps = {
  name: string;
  label: string;
  part: Part;
  rows?: number | undefined;
  hint?: string;
  explained?: string | undefined;
  longest: number;
};

const ADDRESS = { inputMode: 'url', autoCapitalize: 'off', spellCheck: false } as const;

/** A part of an email, into which placeholders are inserted. */
function PartField({ part, rows, ...props }: PartProps) {
  if (rows && isMarkdown(part)) return <BodyField {...props} part={part} rows={rows} />;
  const aside = <InsertMenu part={part} label={props.label} height="5" />;
  if (rows) return <TextareaField {...props} rows={rows} dir="auto" aside={aside} />;
  return <TextField {...props} dir="auto" aside={aside} {...(part === 'cta_url' && ADDRESS)} />;
}

/** A text in Markdown, with a toolbar. Images are dropped and pasted into it, or chosen with its button. */
function BodyField({ part, rows = 3, ...props }: PartProps) {
  const { label } = props;
  const [file, setFile] = useState<File>();
  const frame = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);

  /** Returns whether there is one. */
  function take(files: FileList | null): boolean {
    const [chosen] = files ?? [];
    if (chosen) setFile(chosen);
    return chosen !== undefined;
  }

  /** Office programs put a picture of a copied text beside it. */
  const hasImage = ({ clipboardData }: ClipboardEvent) => !clipboardData.types.includes('text/plain');
  const hasFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

  return (
    // A form in the dialog is within this one, for React.
    <Box ref={frame} my="4" onSubmit={event => event.stopPropagation()}>
      <TextareaField
        {...props}
        rows={rows}
        dir="auto"
        // Grows with its text, in browsers that can.
        fieldSizing="content"
        minHeight={`${rows * LINE + 14}px`}
        maxHeight="60vh"
        aside={<Toolbar part={part} label={label} onImage={() => input.current?.click()} />}
        onPaste={event => hasImage(event) && take(event.clipboardData.files) && event.preventDefault()}
        // Otherwise the browser would show the file in place of the page.
        onDragOver={event => hasFile(event) && event.preventDefault()}
        onDrop={event => {
          if (hasFile(event)) event.preventDefault();
          take(event.dataTransfer.files);
        }}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept={EMAIL_IMAGE_TYPES.join()}
        aria-label={`Image for ${label}`}
        onChange={({ target }) => {
          take(target.files);
          target.value = '';
        }}
      />
      {file && (
        <ImageDialog
          file={file}
          field={() => frame.current?.querySelector('textarea')}
          onClose={() => setFile(undefined)}
        />
      )}
    </Box>
  );
}

/** In pixels. */
const LINE = 20;

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
