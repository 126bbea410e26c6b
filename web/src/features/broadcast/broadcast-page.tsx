import { Box, Flex, Progress as ProgressBar, Stack, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { Broadcast, BroadcastChange } from '#shared/broadcast.ts';
import { isOpen, isResumable, resumableUntil, STOPPED } from '#shared/broadcast-state.ts';
import { Button, ButtonLink, TextLink } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { PageActions } from '#web/components/page-actions.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { AudienceSentence } from '#web/entities/audience/audience.tsx';
import { guardObstacle } from '#web/entities/automation/guard-texts.ts';
import { NO_LISTS, NOTHING_TO_SEND } from '#web/entities/automation/obstacles.ts';
import {
  BROADCAST,
  BroadcastState,
  canDelete,
  DeleteBroadcast,
  refusalOf,
  useBroadcast,
  useTotals,
  whenText,
} from '#web/entities/broadcast/broadcast.tsx';
import { wordingPath } from '#web/entities/content/content.ts';
import { useEntityChange } from '#web/entities/use-entity.ts';
import { revalidate, useOrganizationData } from '#web/lib/data.ts';
import { formatDate, formatNumber, formatUtcMoment, lowered } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { newTemplateFor, paths } from '#web/lib/paths.ts';
import { Problem } from '#web/lib/problem.ts';
import { accuracyOf } from '#web/lib/sampled.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Results } from './results.tsx';
import { useDuplicate } from './use-duplicate.ts';
import { getText, leftOutTexts, useQuestionOfSending } from './use-question-of-sending.ts';

const Variants = onDemand(() => import('./variants.tsx'), null);
const PreviewDialog = onDemand(() => import('#web/entities/email/preview-dialog.tsx'));

export function BroadcastPage() {
  const { broadcast: id = '' } = useParams();
  const { data } = useBroadcast(id);
  return data ? (
    <Loaded key={id} broadcast={data} />
  ) : (
    <Page key="loading" title="Broadcast">
      <Loading shape={['line', 106, 200]} />
    </Page>
  );
}

/** What keeps a draft from being scheduled. */
const missingOf = ({ email_lists, email_eligibility }: Broadcast) =>
  [email_lists.length === 0 && NO_LISTS, !email_eligibility.is_eligible && NOTHING_TO_SEND].filter(
    text => text !== false,
  );

function Loaded({ broadcast }: { broadcast: Broadcast }) {
  const { id, name, status, started_at } = broadcast;
  const change = useEntityChange(BROADCAST, id);
  const ask = useQuestionOfSending();
  const may = useMay();
  const duplicate = useDuplicate();
  const { right } = BROADCAST;
  const [open, setOpen] = useState<'cancel' | 'delete' | 'preview'>();
  const close = () => setOpen(undefined);
  const put = (body: BroadcastChange) => change(BROADCAST.put, body, answer => answer);
  const sending = useAction(async () => {
    await ask(broadcast);
    // Nobody gets it but those who were asked about.
    await put({ status: 'scheduled', revision: broadcast.revision }).catch(problem => {
      void revalidate(BROADCAST.one);
      throw new Problem(refusalOf(problem));
    });
  });
  const isEditable = status === 'draft' || status === 'scheduled';
  const missing = isEditable ? missingOf(broadcast) : [];
  const canResume = isResumable(broadcast, new Date());
  const left = useOrganizationData(canResume ? FORECAST : undefined, { params: { broadcast: id } });
  const isAsked = (status === 'draft' && missing.length === 0) || (canResume && left.data?.emails !== 0);

  return (
    <Page
      title={name}
      actions={
        <PageActions
          items={[
            canDelete(broadcast) && {
              id: 'delete',
              label: 'Delete broadcast',
              danger: true,
              right,
              inMenu: true,
              run: () => setOpen('delete'),
            },
            { id: 'duplicate', label: 'Duplicate', right, run: () => void duplicate(broadcast) },
            isOpen(broadcast, new Date()) && {
              id: 'cancel',
              label: 'Cancel broadcast',
              right,
              run: () => setOpen('cancel'),
            },
            isEditable && { id: 'edit', label: 'Edit broadcast', to: paths.editBroadcast(id), right },
            isAsked && {
              id: 'send',
              label: '',
              right,
              button: (
                <Button
                  variant="solid"
                  right={BROADCAST.right}
                  loading={sending.isRunning}
                  loadingText="One moment..."
                  onClick={() => void sending.run()}
                >
                  {canResume ? 'Send to the rest' : isTimed(broadcast) ? 'Schedule' : 'Send now'}
                </Button>
              ),
            },
          ]}
        />
      }
    >
      <Stack gap="2" mb="6">
        <Flex wrap="wrap" columnGap="3">
          <BroadcastState status={status} />
          <Text color="fg.muted">{whenText(broadcast)}</Text>
        </Flex>
        {/* It may have been scheduled all the same, if the answer was lost. */}
        {isAsked && sending.error && <Notice tone="error">{sending.error}</Notice>}
        <StateNotice broadcast={broadcast} />
        {missing.map(text => (
          <Notice key={text} tone="warning">
            {text}
          </Notice>
        ))}
      </Stack>
      {started_at && <Results broadcast={broadcast} />}
      {started_at && broadcast.email_template_ids.length > 1 && may('reports:read') && (
        <Box my="8" minHeight={variantsHeight(broadcast.email_template_ids.length)}>
          <Variants broadcast={broadcast} started={started_at} />
        </Box>
      )}
      {((isEditable && broadcast.email_lists.length > 0) || canResume) && <Reach broadcast={broadcast} />}
      <Email broadcast={broadcast} onPreview={() => setOpen('preview')} />
      <Section title="Details">
        <Details broadcast={broadcast} />
      </Section>
      {open === 'preview' && <PreviewDialog automation={broadcast} onClose={close} />}
      {open === 'delete' && <DeleteBroadcast broadcast={broadcast} leaves onClose={close} />}
      {open === 'cancel' && (
        <ConfirmDialog
          title={`Cancel ${name}?`}
          confirm="Cancel broadcast"
          cancel="Keep it"
          loadingText="Cancelling..."
          onConfirm={() => put({ status: 'cancelled' })}
          onClose={close}
        >
          What was not sent yet stays unsent. A cancelled broadcast cannot be scheduled again: duplicate it.
        </ConfirmDialog>
      )}
    </Page>
  );
}

/** That of the results by template, which are loaded later, so that nothing below moves. */
const variantsHeight = (count: number) => ({ base: `${132 + 164 * count}px`, sm: `${154 + 44 * count}px` });

const isTimed = ({ at, local_at }: Broadcast) => at !== null || local_at !== null;

/** What is going on, in a sentence. */
function StateNotice({ broadcast }: { broadcast: Broadcast }) {
  const { id, status, stopped, paused, ended_at } = broadcast;
  if (status === 'sending')
    return (
      <>
        <Progress broadcast={broadcast} />
        <WarmUps broadcast={broadcast} />
      </>
    );
  if (status === 'cancelled' && ended_at)
    return (
      <Notice tone="info">{`It was cancelled on ${formatUtcMoment(ended_at)}: what was not sent by then stays unsent.`}</Notice>
    );
  if (status !== 'stopped' || !stopped) return null;
  const rest = isResumable(broadcast, new Date())
    ? `You can send it to the rest until ${formatUtcMoment(new Date(resumableUntil(broadcast)).toISOString())}.`
    : 'It was stopped more than two days ago, so it cannot be sent to the rest any more.';
  const { text, mend } = paused
    ? guardObstacle({ id, active: false }, paused, true)
    : { text: `It was stopped on ${formatUtcMoment(stopped.at)}: ${lowered(STOPPED[stopped.reason])}.` };
  return (
    <Notice tone="warning" action={mend && <TextLink to={mend.to}>{mend.label}</TextLink>}>
      {`${text} ${rest}`}
    </Notice>
  );
}

const FORECAST = 'GET /api/broadcasts/{broadcast}/forecast';
const ONCE = { revalidateOnFocus: false };

/** How many were sent, of those who get it. */
function Progress({ broadcast }: { broadcast: Broadcast }) {
  const { id } = broadcast;
  const sent = useTotals([broadcast]).byId.get(id)?.sent;
  const { data } = useOrganizationData(FORECAST, { params: { broadcast: id } }, ONCE);
  const left = data && Object.values(data.not_sent).reduce((sum, count) => sum + count, data.no_match);
  const all = data && left !== undefined ? Math.max(data.people - left, sent ?? 0) : undefined;
  return (
    <Notice tone="info">
      {all === undefined || sent === undefined ? (
        'It is being sent.'
      ) : (
        <ProgressBar.Root value={sent} max={all} width="100%" maxWidth="480px">
          <ProgressBar.Label>{`${formatNumber(sent)} of about ${formatNumber(all)} sent so far.`}</ProgressBar.Label>
          <ProgressBar.Track>
            <ProgressBar.Range />
          </ProgressBar.Track>
        </ProgressBar.Root>
      )}
    </Notice>
  );
}

/** How much its lists may still send today. */
function WarmUps({ broadcast: { email_list_ids } }: { broadcast: Broadcast }) {
  const lists = useOrganizationData('GET /api/email-lists').data ?? [];
  return lists
    .filter(({ id }) => email_list_ids.includes(id))
    .map(({ id, name, warm_up_progress: progress }) =>
      progress ? (
        <Notice key={id} tone="info">
          {`${name} is in warm-up: ${formatNumber(progress.sent_today)} of ${formatNumber(progress.most_today)} emails sent today. Who is left gets it from tomorrow on, at the same time of day.`}
        </Notice>
      ) : null,
    );
}

/** Who gets it, and who does not and why. */
function Reach({ broadcast }: { broadcast: Broadcast }) {
  const { data, error, mutate } = useOrganizationData(
    FORECAST,
    { params: { broadcast: broadcast.id } },
    ONCE,
  );
  const isRest = broadcast.status === 'stopped';
  return (
    <Section title={isRest ? 'Who is left' : 'Who gets it'}>
      <Panel p="4" minHeight="112px">
        {data ? (
          <>
            <Text fontSize="lg" lineHeight="24px" fontWeight="semibold">
              {getText(data)}
            </Text>
            <Text color="fg.muted">
              {`Of ${formatNumber(data.people)} who are subscribed to its lists${isRest ? ', with those who have it already' : ''}.`}
            </Text>
            <Box as="ul" mt="2">
              {leftOutTexts(data).map(text => (
                <li key={text}>{text}.</li>
              ))}
            </Box>
            <Text mt="2" fontSize="xs" color="fg.muted">
              {[
                ...accuracyOf(data),
                'Beside all other automations, within the limits of the safeguards.',
              ].join(' ')}
            </Text>
          </>
        ) : error ? (
          <Failure
            problem={error}
            fallback="Who gets it could not be found out. Please try again."
            onRetry={mutate}
          />
        ) : (
          <Loading shape={['line', 'line']} />
        )}
      </Panel>
    </Section>
  );
}

function Email({ broadcast, onPreview }: { broadcast: Broadcast; onPreview: () => void }) {
  const { id, status, email_eligibility } = broadcast;
  const { data, error, mutate } = useOrganizationData('GET /api/automations/{automation}/content', {
    params: { automation: id },
  });
  const may = useMay();
  const isWriting = (status === 'draft' || status === 'scheduled') && may('content:edit');
  const active = data && [
    ...data.templates.map(one => ({
      ...one,
      to: paths.emailTemplate(one.id),
      text: one.name,
      about: one.subject_line,
    })),
    ...data.assets.map(one => ({
      ...one,
      to: paths.emailAsset(one.id),
      text: one.name || one.excerpt,
      about: null,
    })),
  ];
  return (
    <Section title="Email">
      <Panel p="4">
        {!active && error ? (
          <Failure problem={error} fallback="Failed to load the email. Please try again." onRetry={mutate} />
        ) : !active ? (
          <Loading shape={['line']} minHeight={`${40 * broadcast.email_template_ids.length}px`} />
        ) : active.length === 0 ? (
          <Text color="fg.muted">No content is chosen yet.</Text>
        ) : (
          <ul>
            {active.map(one => (
              <Box as="li" key={one.id} overflowWrap="anywhere">
                <TextLink to={one.to}>{one.text}</TextLink>
                {!one.is_active && ', inactive: it is not sent'}
                {isWriting && (
                  <ButtonLink
                    variant="ghost"
                    ml="1"
                    to={wordingPath(one.to, { broadcast: id })}
                    aria-label={`Edit wording of ${one.text}`}
                  >
                    Edit wording
                  </ButtonLink>
                )}
                {one.about && (
                  <Text color="fg.muted" fontSize="sm" dir="auto">
                    {one.about}
                  </Text>
                )}
              </Box>
            ))}
          </ul>
        )}
        {data && data.combinations > 1 && (
          <Text mt="2" color="fg.muted" fontSize="xs">
            One of {formatNumber(data.combinations)} emails, chosen for each person
          </Text>
        )}
        <Flex wrap="wrap" gap="2" mt="3">
          {email_eligibility.is_eligible && <Button onClick={onPreview}>Preview and test</Button>}
          {isWriting && !email_eligibility.is_eligible && (
            <ButtonLink to={newTemplateFor(id)}>Write template</ButtonLink>
          )}
        </Flex>
      </Panel>
    </Section>
  );
}

const Details = ({ broadcast }: { broadcast: Broadcast }) => (
  <Panel p="4">
    <Facts>
      <Fact name="Lists">
        {broadcast.email_lists.length === 0 ? 'None' : <Lists broadcast={broadcast} />}
      </Fact>
      <Fact name="Conditions">
        {broadcast.audience ? <AudienceSentence audience={broadcast.audience} /> : 'Everybody on its lists'}
      </Fact>
      <Fact name="Created">{formatDate(broadcast.created_at)}</Fact>
    </Facts>
  </Panel>
);

const Lists = ({ broadcast: { email_lists } }: { broadcast: Broadcast }) => (
  <>
    {email_lists.map(({ id, name }, at) => (
      <span key={id}>
        {at > 0 && ', '}
        <TextLink to={paths.list(id)}>{name}</TextLink>
      </span>
    ))}
  </>
);
