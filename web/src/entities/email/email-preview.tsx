import { Box, chakra, Grid, Input } from '@chakra-ui/react';
import { type ComponentProps, use, useDeferredValue, useMemo, useState } from 'react';
import type { PreviewMember } from '#shared/automation.ts';
import { type Content, MARKDOWN_PARTS } from '#shared/email/content.ts';
import type { Reader } from '#shared/email/encode.ts';
import { markdownFaults } from '#shared/email/markdown-faults.ts';
import { ownValues } from '#shared/email/own-values.ts';
import { isOwnName, variablesOf } from '#shared/email/placeholder.ts';
import { doubtsAbout } from '#shared/email/placeholder-faults.ts';
import { UNSUBSCRIBE_WORDS } from '#shared/unsubscribe-words.ts';
import { Field } from '#web/components/field.tsx';
import { Notice } from '#web/components/notice.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { messageOf } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { safeDocument } from './email-frame.tsx';
import { EmailViews } from './email-views.tsx';
import { MemberPicker } from './member-picker.tsx';
import type { Draft } from './parts.tsx';

export type PreviewProps = {
  content: Draft;
  language: string;
  columns?: readonly string[];
  /** The automations of new content. The members of their lists can be chosen for the preview. */
  automations?: readonly string[];
  written?: ComponentProps<typeof EmailViews>['written'];
};

const unsubscribeWord = (language: string) =>
  UNSUBSCRIBE_WORDS.find(({ code }) => code === language)?.word ?? 'Unsubscribe';

// Loaded separately, since it is as large as the rest of the page.
const renderer = import('#shared/email/email.ts');

/** Renders in the browser with the same code that renders sent emails. */
export default function RenderedEmail({
  content,
  language,
  columns,
  automations = [],
  written,
}: PreviewProps) {
  const { compose, fill } = use(renderer);
  const draft = useDeferredValue(content);
  const [edited, setEdited] = useState<Record<string, string>>({});
  const { member, values, choose } = useMember();
  const shownValue = (name: string) => edited[name] ?? given(name, values);
  const asked = columnsIn(draft);
  const warnings = warningsIn(draft, columns);
  const { subject, html, text } = useMemo(() => {
    const email = compose(contentOf(draft), { language, unsubscribeWord: unsubscribeWord(language) });
    const samples = Object.fromEntries(
      columnsIn(draft).map(name => [name, edited[name] ?? given(name, values)]),
    );
    return fill(email, sampleReader(samples, language, member?.email));
  }, [compose, fill, draft, language, edited, values, member]);

  return (
    <>
      <EmailViews
        html={html}
        text={text}
        sender={SENDER}
        subject={subject || 'No subject line yet'}
        written={written}
      />
      {automations.length > 0 && (
        <Box mt="3">
          <MemberPicker
            automations={automations}
            chosen={member}
            onChoose={chosen => {
              setEdited({});
              choose(chosen);
            }}
          />
        </Box>
      )}
      {warnings.length > 0 && (
        <Notice tone="info" mt="3">
          {warnings.map(doubt => (
            <p key={doubt}>{doubt}</p>
          ))}
        </Notice>
      )}
      {asked.length > 0 && (
        <Box as="fieldset" mt="3">
          <Legend>{values ? 'What the member has' : 'Sample member'}</Legend>
          <Grid templateColumns="repeat(auto-fill, minmax(min(180px, 100%), 1fr))" columnGap="3">
            {asked.map(name => (
              <Box key={name}>
                <Field label={name}>
                  <Input
                    autoComplete="off"
                    value={shownValue(name)}
                    onChange={({ target }) => setEdited({ ...edited, [name]: target.value })}
                  />
                </Field>
              </Box>
            ))}
          </Grid>
        </Box>
      )}
    </>
  );
}

// Content has no sender until a list sends it.
const SENDER = (
  <Box as="span" color="fg.muted">
    Sender name of the list
  </Box>
);

const given = (name: string, values: Record<string, string> | undefined) =>
  values ? (values[name] ?? '') : sampleOf(name);

/** The chosen member, if any, with their values; undefined while they are loading. */
function useMember() {
  const [member, choose] = useState<PreviewMember>();
  const { data } = useOrganizationData(
    member && 'GET /api/list-members/{listMember}',
    { params: { listMember: member?.id ?? '' }, isRefusalExpected: true },
    {
      revalidateOnFocus: false,
      onError(problem) {
        toast(messageOf(problem), 'error');
        choose(undefined);
      },
    },
  );
  const values = useMemo(
    () => data && Object.fromEntries(data.metadata.map(({ key, value }) => [key, String(value)])),
    [data],
  );
  return { member, choose, values };
}

const Legend = chakra('legend', { base: { mb: '1', fontSize: 'sm', fontWeight: 'semibold' } });

const TEMPLATE = 'k3m9p2x7q1w5';
const OWN = ownValues({
  automation: { id: 'a1b2c3d4e5f6', name: 'welcome' },
  combination: TEMPLATE,
  template: TEMPLATE,
  days: 3,
  email: 'ada@example.com',
});

const MEMBER: Record<string, string> = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Ada Lovelace',
  company: 'Analytical Engines',
  city: 'London',
};

/** The sample value of a metadata column; if its name is not known, the name itself. */
export const sampleOf = (name: string) => MEMBER[name] ?? name.replace(/[_.-]+/g, ' ').trim();

/** Completes an email of which only some parts are written yet. */
export const contentOf = (draft: Draft): Content => ({
  preheader: draft.preheader,
  after_cta_content: draft.after_cta_content,
  subject_line: draft.subject_line ?? '',
  pre_cta_content: draft.pre_cta_content ?? '',
  cta_text: draft.cta_text ?? '',
  cta_url: draft.cta_url ?? '',
  footer: draft.footer ?? '',
});

const textsOf = (draft: Draft) => Object.values(draft).flatMap(text => (text ? [text] : []));

export const columnsIn = (draft: Draft): string[] => {
  const names = textsOf(draft).flatMap(text => variablesOf(text).map(({ name }) => name));
  return [...new Set(names)].filter(name => !isOwnName(name));
};

/** Warnings about possible mistakes. Without `known` columns, any name may be right, and only missing parts are reported. */
export function warningsIn(draft: Draft, known?: readonly string[]): string[] {
  const texts = textsOf(draft);
  const warnings = texts.flatMap(text => doubtsAbout(text, known ?? columnsIn(draft)));
  const unrendered = MARKDOWN_PARTS.flatMap(part => markdownFaults(draft[part] ?? ''));
  return [...new Set([...unrendered, ...warnings, ...(known ? [] : withoutDefault(texts))])];
}

function withoutDefault(texts: string[]): string[] {
  const variables = texts.flatMap(variablesOf).filter(({ name, fallback }) => !isOwnName(name) && !fallback);
  const names = [...new Set(variables.map(({ name }) => name))];
  const [first] = names;
  if (!first) return [];
  return [
    `Members without ${LIST.format(names)} see nothing in its place: a default is written {{${first} | 'Default'}}.`,
  ];
}

const LIST = new Intl.ListFormat('en', { type: 'disjunction' });

export const sampleReader = (
  samples: Record<string, string>,
  language: string,
  email = OWN.email,
): Reader => ({
  values: new Map([...Object.entries(samples), ...Object.entries({ ...OWN, email })]),
  language,
  unsubscribe: 'https://example.com/unsubscribe',
  files: globalThis.location?.origin ?? '',
  tracked: url => url,
});

/** In pixels: the width of an email on a phone, and of the picture of it. */
const EMAIL = 320;
const THUMBNAIL = { width: 112, height: 84 };

type PictureProps = { content: Draft; language: string };

/** The beginning of an email, as a picture: it cannot be focused, and screen readers do not read it. */
export function RenderedThumbnail({ content, language }: PictureProps) {
  const { compose, fill } = use(renderer);
  const html = useMemo(() => {
    const email = compose(contentOf(content), { language, unsubscribeWord: unsubscribeWord(language) });
    const samples = Object.fromEntries(columnsIn(content).map(name => [name, sampleOf(name)]));
    return safeDocument(fill(email, sampleReader(samples, language)).html, 'light', false);
  }, [compose, fill, content, language]);
  const scale = THUMBNAIL.width / EMAIL;
  return (
    <Box inert aria-hidden>
      <iframe
        title="Email"
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={html}
        style={{
          width: EMAIL,
          height: THUMBNAIL.height / scale,
          transform: `scale(${scale})`,
          transformOrigin: '0 0',
          colorScheme: 'light',
        }}
      />
    </Box>
  );
}
