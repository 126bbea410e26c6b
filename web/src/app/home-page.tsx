import { type ReactNode, useEffect, useRef } from 'react';
import type { SWRResponse } from 'swr';
import type { FirstStep, FirstSteps as Steps } from '#shared/first-steps.ts';
import type { EmailList } from '#shared/list.ts';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { useLists } from '../entities/list/list.ts';
import { Attention, DomainRefresh } from '../features/home/attention.tsx';
import { FirstSteps } from '../features/home/first-steps.tsx';
import { Performance } from '../features/home/performance.tsx';
import { SignedInHome } from '../features/home/signed-in-home.tsx';
import { Upcoming } from '../features/home/upcoming.tsx';
import { ListsOverview, ListsOverviewLoading } from '../features/list/lists-overview.tsx';
import { useOrganizations } from '../features/organization/use-organizations.ts';
import { revalidate, useOrganizationData } from '../lib/data.ts';
import { useMay } from '../lib/organization.ts';
import { useElapsed } from '../lib/timers.ts';
import { navigation } from './navigation.ts';

const destinations = navigation.slice(1);

export function HomePage() {
  const { active, problem, retry } = useOrganizations();
  if (active) return <HomeOf key={active.id} />;
  return (
    <SignedInHome destinations={destinations} isLoading={false}>
      {problem !== undefined && (
        <Failure problem={problem} fallback="Failed to load organizations" onRetry={retry} />
      )}
    </SignedInHome>
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
  return (
    <SignedInHome destinations={destinations} isLoading={!isBegun || !isKnown(lists)}>
      {isBegun ? (
        <>
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
          {(!isNew || isDone('sent')) && <Performance {...performance} />}
          {(!isNew || isDone('automation')) && <Upcoming {...upcoming} />}
          <Lists {...lists} isNew={isNew} />
        </>
      ) : (
        <Loading shape={['title', 171]} />
      )}
    </SignedInHome>
  );
}

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
