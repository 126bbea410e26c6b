import { Box, Grid, Text } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { SWRResponse } from 'swr';
import type { FirstStep, FirstSteps as Steps } from '#shared/first-steps.ts';
import type { EmailList } from '#shared/list.ts';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { useLists } from '../entities/list/list.ts';
import { Attention, DomainRefresh } from '../features/home/attention.tsx';
import { FirstSteps } from '../features/home/first-steps.tsx';
import { Performance } from '../features/home/performance.tsx';
import { BestEmail, RecentEmails } from '../features/home/recent.tsx';
import { Upcoming } from '../features/home/upcoming.tsx';
import { ListsOverview, ListsOverviewLoading } from '../features/list/lists-overview.tsx';
import { useOrganizations } from '../features/organization/use-organizations.ts';
import { revalidate, useOrganizationData } from '../lib/data.ts';
import { IN_UTC } from '../lib/format.ts';
import { useMay } from '../lib/organization.ts';
import { useUser } from '../lib/session.ts';
import { useElapsed } from '../lib/timers.ts';

function WelcomePage({ children }: { children: ReactNode }) {
  const { name } = useUser();
  return (
    <Page title="Home" heading={`Welcome, ${name}`}>
      <Box maxWidth="1120px">{children}</Box>
    </Page>
  );
}

export function HomePage() {
  const { active, problem, retry } = useOrganizations();
  if (active) return <HomeOf key={active.id} />;
  return (
    <WelcomePage>
      {problem !== undefined && (
        <Failure problem={problem} fallback="Failed to load organizations" onRetry={retry} />
      )}
    </WelcomePage>
  );
}

// The height of the first part is unknown, so for this long nothing below it is shown before that part is loaded.
const FIRST_WAIT_MS = 2000;

function HomeOf() {
  const steps = useFirstSteps();
  const attention = useOrganizationData('GET /api/attention');
  const performance = useOrganizationData('GET /api/reporting/performance');
  const upcoming = useOrganizationData('GET /api/upcoming');
  const lists = useLists();
  const isLate = useElapsed(FIRST_WAIT_MS);
  const isBegun = isLate || (isKnown(steps) && isKnown(attention));
  const isNew = useMay()('lists:edit') && Boolean(steps.data?.is_shown);
  const isDone = (step: FirstStep) => steps.data?.steps.some(one => one.step === step && one.is_done);
  const hasPlans = !isNew || isDone('automation');
  const hasSent = !isNew || isDone('sent');
  return (
    <WelcomePage>
      {isBegun ? (
        <>
          {hasPlans && (
            <Text mt="-3" mb="4" fontSize="sm" color="fg.muted">
              {IN_UTC}
            </Text>
          )}
          <Part of={steps} title="First steps" failure="Failed to load the first steps. Please try again.">
            {data => <FirstSteps steps={data} />}
          </Part>
          <Part
            of={attention}
            title="Needs attention"
            failure="Failed to load what needs attention. Please try again."
          >
            {data => <Attention attention={data} />}
          </Part>
          {attention.data?.unchecked.map(id => (
            <DomainRefresh key={id} list={id} />
          ))}
          {hasSent && <Performance {...performance} />}
          {(hasPlans || hasSent) && (
            <Beside>
              {hasPlans && <Upcoming {...upcoming} />}
              {hasSent && (
                <>
                  {!performance.error && <BestEmail best={performance.data?.best} />}
                  <RecentEmails status="bounced" />
                  <RecentEmails status="unsubscribed" />
                </>
              )}
            </Beside>
          )}
          <Lists {...lists} isNew={isNew} />
        </>
      ) : (
        <Loading shape={['title', 171]} />
      )}
    </WelcomePage>
  );
}

/** Two sections in a row where there is room. */
const Beside = ({ children }: { children: ReactNode }) => (
  <Grid
    templateColumns="repeat(auto-fit, minmax(min(400px, 100%), 1fr))"
    gap="8"
    mt="8"
    mb="8"
    css={{ '& > section + section': { mt: '0' } }}
  >
    {children}
  </Grid>
);

const FIRST_EMAIL_WAIT_MS = 15_000;

/** Polled until the first email is sent, so that its numbers appear without reloading the page. */
function useFirstSteps() {
  // A new function each time, since SWR does not call a function again that has returned 0.
  const refreshInterval = (steps?: Steps) => (awaitsFirstEmail(steps) ? FIRST_EMAIL_WAIT_MS : 0);
  const steps = useOrganizationData('GET /api/first-steps', undefined, { refreshInterval });
  const awaits = awaitsFirstEmail(steps.data);
  const awaited = useRef(false);
  useEffect(() => {
    if (awaited.current && !awaits) void revalidate('GET /api/reporting/performance', 'GET /api/upcoming');
    awaited.current = awaits;
  }, [awaits]);
  return steps;
}

function awaitsFirstEmail(steps: Steps | undefined): boolean {
  const done = steps?.steps.flatMap(({ step, is_done }) => (is_done ? [step] : [])) ?? [];
  return done.includes('activation') && !done.includes('sent');
}

const isKnown = ({ data, error }: { data?: unknown; error?: unknown }) => Boolean(data || error);

type PartProps<Data> = {
  of: SWRResponse<Data>;
  title: string;
  failure: string;
  children: (data: Data) => ReactNode;
};

/** A part of the page that loads and fails independently of the others. */
function Part<Data>({ of: { data, error, mutate }, title, failure, children }: PartProps<Data>) {
  if (data) return children(data);
  return (
    <Section title={title}>
      {error ? <Failure problem={error} fallback={failure} onRetry={mutate} /> : <Loading shape={[42]} />}
    </Section>
  );
}

function Lists({ data, error, mutate, isNew }: SWRResponse<EmailList[]> & { isNew: boolean }) {
  if (data) return data.length > 0 || !isNew ? <ListsOverview lists={data} /> : null;
  if (!error) return <ListsOverviewLoading />;
  return (
    <Section title="Email lists">
      <Failure problem={error} message="Failed to fetch data. Please try again" onRetry={mutate} />
    </Section>
  );
}
