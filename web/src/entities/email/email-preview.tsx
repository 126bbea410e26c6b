import { Box, chakra, Flex, Grid, Input } from '@chakra-ui/react';
import { type ComponentProps, use, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { PreviewMember } from '#shared/automation.ts';
import { type Content, MARKDOWN_PARTS } from '#shared/email/content.ts';
import type { Reader } from '#shared/email/encode.ts';
import type { Language } from '#shared/email/language.ts';
import type { Design } from '#shared/email/layout.ts';
import { markdownFaults } from '#shared/email/markdown-faults.ts';
import { ownValues, SAMPLE } from '#shared/email/own-values.ts';
import { isOwnName, variablesOf } from '#shared/email/placeholder.ts';
import { placeholderFaults } from '#shared/email/placeholder-faults.ts';
import { publicNameOf } from '#shared/list.ts';
import type { Look } from '#shared/look.ts';
import type { BodyInput } from '#shared/routes.ts';
import { unsubscribeWordIn } from '#shared/unsubscribe-words.ts';
import { Button } from '#web/components/button.tsx';
import { Field } from '#web/components/field.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Select } from '#web/components/select.tsx';
import { useOrganizationCall, useOrganizationData } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { messageOf, Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';
import { safeDocument } from './email-frame.tsx';
import { EmailViews, Sender } from './email-views.tsx';
import { MemberPicker, membersOf } from './member-picker.tsx';
import { type Draft, sampleOf } from './parts.tsx';

export type PreviewProps = {
  content: Draft;
  language: string;
  /**
   * The automations of content that is being written. It is shown as an email of the list of the first one, or of another list, for
   * a member who can be chosen, and a test of it can be sent.
   */
  automations?: readonly string[] | undefined;
  /** What sends stored content, whose list gives it its design. */
  sentBy?: SentBy;
  /** Called with the answer to a test that was refused. */
  onRefused?: (problem: Problem) => void;
  written?: ComponentProps<typeof EmailViews>['written'];
};

/** The list, by its id or its name, or the automations of which the first one names it. */
export type SentBy = { list?: string | undefined; automations?: readonly string[] | undefined };

// Loaded separately, since it is as large as the rest of the page.
const renderer = import('#shared/email/email.ts');

/** Renders in the browser with the same code that renders sent emails. */
export default function RenderedEmail(props: PreviewProps) {
  const { content, language, automations, sentBy, onRefused, written } = props;
  const { compose, fill } = use(renderer);
  const draft = useDeferredValue(content);
  const [edited, setEdited] = useState<Record<string, string>>({});
  const { member, values, choose } = useMember();
  const { list, lists, design, chooseList } = useListOf(automations ? { automations } : sentBy);
  const shownValue = (name: string) => edited[name] ?? given(name, values);
  const asked = columnsIn(draft);
  // Those of a draft are at its fields.
  const warnings = automations ? [] : warningsIn(draft);
  const { subject, html, text } = useMemo(() => {
    const unsubscribeWord = list?.unsubscribe_text ?? unsubscribeWordIn(language);
    // A button without words would be a black box.
    const words = draft.cta_text?.trim() ? draft.cta_text : 'The button';
    const email = compose(contentOf({ ...draft, cta_text: words }), { language, unsubscribeWord, design });
    const samples = Object.fromEntries(
      columnsIn(draft).map(name => [name, edited[name] ?? given(name, values)]),
    );
    return fill(email, sampleReader(samples, language, member?.email));
  }, [compose, fill, draft, language, edited, values, member, list?.unsubscribe_text, design]);

  const sending = useTest(onRefused);
  const test = () => ({
    ...contentOf(content),
    language_code: language as Language,
    email_list_id: list?.id ?? null,
    ...(member && { member: member.id }),
    metadata: member ? edited : Object.fromEntries(columnsIn(content).map(name => [name, shownValue(name)])),
  });

  return (
    <>
      {automations && (
        <Flex wrap="wrap" align="center" justify="flex-end" gap="2" mb="3">
          <Box role="alert" flex="1" color="fg.error" fontSize="sm">
            {sending.error}
          </Box>
          {lists && lists.length > 1 && (
            <Select
              aria-label="Email list of the preview"
              width="200px"
              value={list?.id}
              options={lists.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={({ target }) => {
                choose(undefined);
                chooseList(target.value);
              }}
            />
          )}
          <Button
            right="content:edit"
            loading={sending.isRunning}
            loadingText="Sending..."
            onClick={() => void sending.run(test())}
          >
            Send test to me
          </Button>
        </Flex>
      )}
      <EmailViews
        html={html}
        text={text}
        sender={list ? <Sender name={list.sender_name || list.name} email={list.sender_address} /> : SENDER}
        subject={subject || 'No subject line yet'}
        written={written}
      />
      {automations && list && (
        <Box mt="3">
          <MemberPicker
            of={list.id}
            find={membersOf(list)}
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

/** The list that the email is shown for, and how its emails look; without any list, how those of the organization do. */
function useListOf(sentBy: SentBy | undefined) {
  const automation = sentBy?.automations?.[0];
  const isRefusalExpected = true;
  const { data: lists } = useOrganizationData(sentBy && 'GET /api/email-lists');
  const { data: linked, error } = useOrganizationData(
    automation ? 'GET /api/automations/{automation}' : undefined,
    { params: { automation: automation ?? '' }, isRefusalExpected },
  );
  const [chosen, chooseList] = useState<string>();
  const first = chosen ?? sentBy?.list ?? linked?.email_lists[0]?.id;
  const isKnown = !automation || linked !== undefined || error !== undefined;
  const list = isKnown
    ? (lists?.find(({ id, name }) => [id, name].includes(first ?? '')) ?? lists?.[0])
    : undefined;
  const { data: looks } = useOrganizationData(list && 'GET /api/email-lists/{list}/look', {
    params: { list: list?.id ?? '' },
    isRefusalExpected,
  });
  const { data: own } = useOrganizationData(lists?.length === 0 ? 'GET /api/look' : undefined);
  const organization = useOrganization()?.name ?? '';
  const look = looks ? (looks.look ?? looks.inherited) : own?.look;
  return {
    list,
    lists,
    chooseList,
    design: useDesign(look, list?.logo, list ? publicNameOf(list) : organization),
  };
}

/** A design with its logo, which the frame of an email cannot load. */
export function useDesign(
  look: Look | null | undefined,
  logo: string | null | undefined,
  name: string,
): Design | undefined {
  const source = useDataUrl(look?.logo_align === 'none' ? undefined : logo);
  return useMemo(
    () => (look ? { look, name, ...(source && { logo: source }) } : undefined),
    [look, name, source],
  );
}

function useDataUrl(path: string | null | undefined): string | undefined {
  const [loaded, setLoaded] = useState<{ path: string; url: string }>();
  useEffect(() => {
    if (!path) return;
    const isLeft = new AbortController();
    const load = async () => {
      const image = await (await fetch(path, { signal: isLeft.signal })).blob();
      const reader = new FileReader();
      reader.onload = () => setLoaded({ path, url: String(reader.result) });
      reader.readAsDataURL(image);
    };
    load().catch(() => {});
    return () => isLeft.abort();
  }, [path]);
  return loaded?.path === path ? loaded?.url : undefined;
}

/** Sends the email to the user who is signed in. */
function useTest(onRefused: PreviewProps['onRefused']) {
  const call = useOrganizationCall();
  return useAction(async (body: BodyInput<'POST /api/test-emails'>) => {
    try {
      const { sent_to } = await call('POST /api/test-emails', { body });
      toast(`A test email was sent to ${sent_to}.`, 'success', TOAST_DURATION);
    } catch (problem) {
      if (problem instanceof Problem) onRefused?.(problem);
      const [first] = problem instanceof Problem ? Object.values(problem.fields).flat() : [];
      throw first ? new Problem(first) : problem;
    }
  });
}

const TOAST_DURATION = 4000;

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

const OWN = ownValues({ ...SAMPLE, email: 'ada@example.com' });

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

/** Warnings about possible mistakes. */
export function warningsIn(draft: Draft): string[] {
  const texts = textsOf(draft);
  const unrendered = MARKDOWN_PARTS.flatMap(part => markdownFaults(draft[part] ?? ''));
  return [...new Set([...unrendered, ...texts.flatMap(placeholderFaults), ...withoutDefault(texts)])];
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

type PictureProps = { content: Draft; language: string; list: string | undefined };

/** The beginning of an email, as a picture: it cannot be focused, and screen readers do not read it. */
export function RenderedThumbnail({ content, language, list: sending }: PictureProps) {
  const { compose, fill } = use(renderer);
  const { design } = useListOf({ list: sending });
  const html = useMemo(() => {
    const email = compose(contentOf(content), {
      language,
      unsubscribeWord: unsubscribeWordIn(language),
      design,
    });
    const samples = Object.fromEntries(columnsIn(content).map(name => [name, sampleOf(name)]));
    return safeDocument(fill(email, sampleReader(samples, language)).html, 'light', false);
  }, [compose, fill, content, language, design]);
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
