import { Box } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { ButtonLink } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { Select } from '#web/components/select.tsx';
import { hasBegun, isBroadcast, useAutomationChoice } from '#web/lib/automation-choice.ts';
import { paths } from '#web/lib/paths.ts';

const MemberExplanation = onDemand(() => import('#web/entities/list-member/member-explanation.tsx'), null);

type Props = {
  member: string;
  /** The part above is still loading, and would move this one. */
  hidden: boolean;
};

export function Explanations({ member, hidden }: Props) {
  const { data: automations } = useAutomationChoice('GET /api/automations-for-templates', hasBegun);
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const frame = useRef<HTMLDivElement>(null);
  const asked = search.get('automation');
  const others = automations?.filter(one => !isBroadcast(one));
  const chosen = asked ?? (others?.length === 1 ? others[0]?.id : undefined);
  const isAsked = useRef(asked !== null);
  // What is explained loads later: until then, the page would be too short to be scrolled here.
  const [minHeight] = useState(asked === null ? undefined : '100dvh');

  useEffect(() => {
    if (!isAsked.current || hidden) return;
    isAsked.current = false;
    frame.current?.scrollIntoView({ block: 'start' });
  }, [hidden]);

  return (
    <Box ref={frame} hidden={hidden} mt="8" minHeight={minHeight}>
      <Section
        title="Why was it sent, or not?"
        note="What an automation sent to them, what it did not send and why, and what comes next."
        actions={
          automations &&
          automations.length > 0 && (
            <Select
              aria-label="Automation"
              width="240px"
              value={chosen ?? ''}
              onChange={({ target }) =>
                setSearch(target.value ? { automation: target.value } : {}, { replace: true, state })
              }
              options={[
                { value: '', label: 'Choose an automation' },
                ...automations.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )
        }
      >
        {chosen ? (
          <MemberExplanation key={chosen} member={member} automation={chosen} />
        ) : (
          automations?.length === 0 && (
            <EmptyState
              title="No automations yet"
              cause="An automation sends emails to the members of its lists, on a schedule."
              action={
                <ButtonLink right="automations:edit" to={paths.newAutomation()}>
                  Create automation
                </ButtonLink>
              }
            />
          )
        )}
      </Section>
    </Box>
  );
}
