import type { Organization } from '../../../shared/organization.ts';
import { Failure } from '../components/failure.tsx';
import { useAutomations } from '../entities/automation/automation.ts';
import { useLists } from '../entities/list/list.ts';
import { UnableAutomations } from '../features/automation/unable-automations.tsx';
import { FirstSteps } from '../features/home/first-steps.tsx';
import { SignedInHome } from '../features/home/signed-in-home.tsx';
import { ListsOverview, ListsOverviewLoading } from '../features/list/lists-overview.tsx';
import { useHasColleagues } from '../features/organization/use-members.ts';
import { useOrganizations } from '../features/organization/use-organizations.ts';
import { firstStepsOf } from './first-steps.ts';
import { navigation } from './navigation.ts';

const destinations = navigation.slice(1);

export function HomePage() {
  const { active, problem, retry } = useOrganizations();
  if (active) return <HomeOf organization={active} />;
  return (
    <SignedInHome destinations={destinations} isLoading={false}>
      {problem !== undefined && (
        <Failure problem={problem} fallback="Failed to load organizations" onRetry={retry} />
      )}
    </SignedInHome>
  );
}

function HomeOf({ organization }: { organization: Organization }) {
  const { data: lists, error, mutate } = useLists();
  const { hasColleagues, isLoading: isCounting } = useHasColleagues(organization);
  const automations = useAutomations();
  const isLoading = !error && (!lists || isCounting);
  // Those that cannot send come last: they move nothing but the links below them.
  const isWhole = !isLoading && Boolean(automations.data || automations.error);
  return (
    <SignedInHome destinations={destinations} isLoading={!isWhole}>
      {isLoading ? (
        <ListsOverviewLoading />
      ) : lists ? (
        <>
          <FirstSteps steps={firstStepsOf({ role: organization.role, lists, hasColleagues })} />
          {lists.length > 0 && <ListsOverview lists={lists} />}
          <UnableAutomations {...automations} />
        </>
      ) : (
        <Failure problem={error} message="Failed to fetch data. Please try again" onRetry={mutate} />
      )}
    </SignedInHome>
  );
}
