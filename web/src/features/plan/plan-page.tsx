import { Box, Flex, Grid, Stack, Text } from '@chakra-ui/react';
import { ArrowRight } from 'lucide-react';
import { useParams } from 'react-router';
import { type Audience, describeAudience } from '#shared/audience.ts';
import type { Plan, PlannedChange, Reached } from '#shared/plan.ts';
import type { RecordedValue } from '#shared/record.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import Chart, { HATCHED, type Series } from '#web/components/chart.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Page } from '#web/components/page.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { labelOf, settingText } from '#web/entities/record/record-texts.ts';
import { useLeaveMissing } from '#web/entities/use-leave-missing.ts';
import { askToConfirm } from '#web/lib/confirmation.ts';
import { useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import {
  capitalized,
  formatNumber,
  formatUtcDay,
  formatUtcMoment,
  formatUtcShort,
  peopleText,
  plural,
} from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { accuracyOf } from '#web/lib/sampled.ts';
import { useAction } from '#web/lib/use-action.ts';

const ROUTE = 'GET /api/plans/{hash}';

/** A plan by its hash: what it changes, whom it touches, and the button that applies it. */
export function PlanPage() {
  const { hash = '' } = useParams();
  const input = { params: { hash } };
  const response = useOrganizationData(ROUTE, input);
  useLeaveMissing(paths.automations(), {
    route: ROUTE,
    input,
    response,
    noun: 'plan',
    back: 'Go to automations',
    missing: 'There is no such plan any more: plans are kept for 24 hours.',
    failed: 'Failed to load the plan. Please try again.',
  });
  const { data } = response;
  return data ? (
    <Loaded plan={data} />
  ) : (
    <Page key="loading" title="Plan">
      <Loading shape={['title', 160, 'title', 240]} />
    </Page>
  );
}

function Loaded({ plan }: { plan: Plan }) {
  const { hash, changes, made_by, made_at, expires_at, applied_at, applied_by } = plan;
  const change = useOrganizationChange();
  const { run, isRunning, error } = useAction(async () => {
    await askToConfirm({
      title: 'Apply this plan?',
      sentences: [`It makes ${plural(changes.length, 'change')} at once.`, ...effectSentences(plan)],
      confirm: 'Apply',
    });
    await change('POST /api/plans/{hash}/apply', { params: { hash }, body: {} });
  });
  const isOpen = applied_at === null && changes.length > 0;
  return (
    <Page
      title={`Plan ${hash.slice(0, 8)}`}
      actions={
        isOpen && (
          <Button
            variant="solid"
            right="automations:edit"
            loading={isRunning}
            loadingText="Applying..."
            onClick={() => void run()}
          >
            Apply
          </Button>
        )
      }
    >
      <Stack gap="2" mb="6">
        {error && <Notice tone="error">{error}</Notice>}
        {applied_at ? (
          <Notice tone="success">
            Applied {by(applied_by)}on {formatUtcMoment(applied_at)}.
          </Notice>
        ) : (
          <Text color="fg.muted">
            Made {by(made_by)}on {formatUtcMoment(made_at)}.{' '}
            {isOpen &&
              `It can be applied until ${formatUtcMoment(expires_at)}, unless something of it changes.`}
          </Text>
        )}
      </Stack>
      <Section title="Whom it touches" note="The next 30 days, compared with leaving everything as it is.">
        <WhomItTouches plan={plan} />
      </Section>
      <Section title="What it changes">
        {changes.length === 0 && <p>Nothing: everything is as it is desired already.</p>}
        <Stack gap="3">
          {changes.map(one => (
            <Change key={`${one.kind} ${one.id} ${one.name}`} change={one} isApplied={applied_at !== null} />
          ))}
        </Stack>
      </Section>
    </Page>
  );
}

const by = (who: Plan['made_by']) => (who ? `by ${who.name} ` : '');

const people = ({ count, margin }: Reached) => {
  const counted = peopleText(count);
  return margin > 0 ? `${counted}, ${formatNumber(margin)} more or less` : counted;
};

const totalsOf = ({ effect: { days } }: Plan) => ({
  more: days.reduce((sum, { more }) => sum + more, 0),
  fewer: days.reduce((sum, { fewer }) => sum + fewer, 0),
});

function effectSentences(plan: Plan): string[] {
  const { newly_reached: newly, no_longer_reached: noLonger } = plan.effect;
  const { more, fewer } = totalsOf(plan);
  return [
    more + fewer > 0
      ? `In the next 30 days ${plural(more, 'email')} more and ${formatNumber(fewer)} fewer are sent.`
      : 'In the next 30 days as many emails are sent to the same people.',
    newly.count + newly.margin > 0 && `Newly reached: ${people(newly)}.`,
    noLonger.count + noLonger.margin > 0 && `No longer reached: ${people(noLonger)}.`,
  ].filter(text => text !== false);
}

type Day = Plan['effect']['days'][number];
const BARS: Series<Day>[] = [
  { name: 'More', value: ({ more }) => more, fill: 'var(--chart-strong)' },
  { name: 'Fewer', value: ({ fewer }) => fewer, fill: HATCHED },
];
const dayText = ({ more, fewer }: Day) => `${plural(more, 'email')} more, ${formatNumber(fewer)} fewer`;

function WhomItTouches({ plan }: { plan: Plan }) {
  const { effect } = plan;
  const { days, newly_reached, no_longer_reached, binding_caps, obstacles } = effect;
  const { more, fewer } = totalsOf(plan);
  return (
    <Stack gap="4">
      {obstacles.map(({ automation, text, emails }) => (
        <Notice key={`${automation} ${text}`} tone="warning">
          {automation}: {text}. {emails > 0 && `${plural(emails, 'email')} not sent.`}
        </Notice>
      ))}
      <Panel p="4">
        <Facts>
          <Fact name="Newly reached">
            <People reached={newly_reached} />
          </Fact>
          <Fact name="No longer reached">
            <People reached={no_longer_reached} />
          </Fact>
          <Fact name="Emails">
            {more + fewer === 0 ? 'As many as now' : dayText({ date: '', more, fewer })}
          </Fact>
          {binding_caps.map(({ cap, emails_now, emails }) => (
            <Fact key={cap} name={labelOf(cap)}>
              Skips {plural(emails, 'email')}, and {formatNumber(emails_now)} without the plan
            </Fact>
          ))}
        </Facts>
        {more + fewer > 0 && (
          <Box mt="4">
            <Chart
              label="Emails more and fewer per day"
              points={days}
              keyOf={({ date }) => date}
              nameOf={({ date }) => formatUtcDay(date)}
              tickOf={({ date }) => formatUtcShort(date)}
              tickEvery={7}
              textOf={dayText}
              bars={BARS}
              isStacked
              heights={{ min: 3, max: 120 }}
              legend="below"
              read="list"
            />
          </Box>
        )}
        <Text mt="3" fontSize="xs" color="fg.muted">
          {[...accuracyOf(effect), 'Days are in UTC; the first one is what is left of today.'].join(' ')}
        </Text>
      </Panel>
    </Stack>
  );
}

const People = ({ reached }: { reached: Reached }) => (
  <Box overflowWrap="anywhere">
    <p>{reached.count === 0 ? 'Nobody' : people(reached)}</p>
    {reached.samples.length > 0 && (
      <Flex wrap="wrap" columnGap="3">
        {reached.samples.map(({ list_member_id, email }) => (
          <TextLink key={list_member_id} to={paths.listMember(list_member_id)}>
            {email}
          </TextLink>
        ))}
        {reached.count > reached.samples.length && '…'}
      </Flex>
    )}
  </Box>
);

const VERBS = { create: 'Create', change: 'Change', delete: 'Delete', new_wording: 'New wording of' };
const KINDS = {
  automation: { noun: 'automation', path: paths.automation },
  sequence: { noun: 'sequence', path: paths.sequence },
  template: { noun: 'template', path: paths.emailTemplate },
  asset: { noun: 'asset', path: paths.emailAsset },
  safeguards: { noun: 'the safeguards', path: paths.safeguards },
  sending_hours: { noun: 'the sending hours', path: paths.safeguards },
  holdout: { noun: 'the holdout', path: paths.safeguards },
};

function Change({ change, isApplied }: { change: PlannedChange; isApplied: boolean }) {
  const { kind, id, name, action, before, after } = change;
  const { noun, path } = KINDS[kind];
  const isThere = (id !== null || name === null) && !(isApplied && action === 'delete');
  // The title has the name, and only what is sent every few days has their number.
  const isShown = (field: string) =>
    action === 'change' || (field !== 'name' && (field !== 'every_x_days' || after?.repeat === 'days'));
  const fields = Object.keys({ ...before, ...after }).filter(isShown);
  return (
    <Panel as="section" p="4" aria-label={`${VERBS[action]} ${noun} ${name ?? ''}`.trim()}>
      <Text as="h3" fontWeight="semibold" overflowWrap="anywhere" mb={fields.length > 0 ? '2' : undefined}>
        {VERBS[action]} {name !== null && `${noun} `}
        {isThere ? <TextLink to={path(id ?? '')}>{name ?? noun}</TextLink> : name}
      </Text>
      <Stack gap="2" separator={<Box borderTopWidth="1px" />}>
        {fields.map(field => (
          <Grid key={field} columnGap="4" templateColumns={{ base: '1fr', md: '180px 1fr' }}>
            <Text color="fg.muted">{labelOf(field)}</Text>
            <Values field={field} before={before} after={after} />
          </Grid>
        ))}
      </Stack>
    </Panel>
  );
}

type Sides = Pick<PlannedChange, 'before' | 'after'> & { field: string };

/** A text of content has several lines: it is shown as it was written, the one beside the other. */
function Values({ field, before, after }: Sides) {
  const texts = [before, after].flatMap(side => (side ? [valueText(field, side[field])] : []));
  const isLong = texts.some(text => text.length > 80 || text.includes('\n'));
  return (
    <Grid
      columnGap="2"
      rowGap="1"
      minWidth="0"
      alignItems="start"
      templateColumns={isLong && texts.length > 1 ? { base: '1fr', lg: '1fr auto 1fr' } : 'auto auto 1fr'}
    >
      {texts.map((text, at) => [
        at > 0 && (
          <Box key="to" pt="1">
            <ArrowRight aria-label="to" size={12} />
          </Box>
        ),
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: the one before and the one after
          key={at}
          as={after && at === texts.length - 1 ? 'ins' : 'del'}
          minWidth="0"
          maxHeight="240px"
          overflow="auto"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          textDecoration="none"
          color={after && at === texts.length - 1 ? undefined : 'fg.muted'}
        >
          {text}
        </Box>,
      ])}
    </Grid>
  );
}

type Step = { name: string; delay_days: number; delay_minutes: number; active: boolean };

function stepText({ name, delay_days, delay_minutes, active }: Step, at: number): string {
  const minutes = delay_minutes > 0 ? ` ${plural(delay_minutes, 'minute')}` : '';
  return `${at + 1}. ${name}: after ${plural(delay_days, 'day')}${minutes}${active ? '' : ', off'}`;
}

function valueText(field: string, value: unknown): string {
  if (field === 'audience') return value ? describeAudience(value as Audience, new Map()) : 'Everybody';
  if (field === 'steps') return ((value ?? []) as Step[]).map(stepText).join('\n') || '–';
  if (!Array.isArray(value)) return settingText(field, (value ?? null) as RecordedValue);
  const texts = value.map(one =>
    typeof one === 'string' ? (field === 'days_off' ? capitalized(one) : one) : `${one.from}–${one.until}`,
  );
  return texts.join(', ') || '–';
}
