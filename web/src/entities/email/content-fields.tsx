import { LONGEST } from '#shared/content-rules.ts';
import { PARTS, type Part } from '#shared/email/content.ts';
import { fieldsOf } from '#web/components/form-fields.ts';
import { PART_TEXTS } from './part-texts.ts';

/** The form fields for the parts of a whole email. */
export const CONTENT_FIELDS: readonly { part: Part; rows?: number; hint: string }[] = [
  { part: 'subject_line', hint: 'Required.' },
  { part: 'preheader', hint: 'Optional: shown after the subject in the inbox.' },
  { part: 'pre_cta_content', rows: 6, hint: 'Required.' },
  { part: 'cta_text', hint: 'Required.' },
  { part: 'cta_url', hint: 'Required.' },
  { part: 'after_cta_content', rows: 4, hint: 'Optional.' },
  {
    part: 'footer',
    rows: 3,
    hint: 'Required, with {{UNSUB_LINK}}: the link by which recipients unsubscribe.',
  },
];

const ADDRESS = { inputMode: 'url', autoCapitalize: 'off', spellCheck: false } as const;

type Values = { [Name in Part]?: string | null | undefined };
const { TextField, TextareaField } = fieldsOf<Values>();

/** The parts of an email in the form of a template or an asset set. */
export const ContentFields = () =>
  CONTENT_FIELDS.map(({ part, rows, hint }) => {
    const same = {
      ...{ name: part, label: PARTS[part], explained: PART_TEXTS[part] },
      ...{ hint, longest: LONGEST[part], dir: 'auto' },
    };
    return rows ? (
      <TextareaField key={part} {...same} rows={rows} />
    ) : (
      <TextField key={part} {...same} {...(part === 'cta_url' && ADDRESS)} />
    );
  });
