import { Box, Popover, Text } from '@chakra-ui/react';
import { useRef } from 'react';
import { TextLink } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { LandmarkPortal, POPOVER_PANEL } from '#web/components/landmark-portal.tsx';
import { Status } from '#web/components/status.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { Problem, serverMessageOr } from '#web/lib/problem.ts';
import { entriesIn, formatValue } from './metadata-value.ts';

type Props = {
  trigger: string;
  member: string;
  email: string;
  onEnter: () => void;
  onLeave: () => void;
  onClose: () => void;
};

/** A card about a member, beside their address. The focus stays on the address; Tab leads into the card. */
export default function RecipientCard({ trigger, member, email, onEnter, onLeave, onClose }: Props) {
  const content = useRef<HTMLDivElement>(null);

  /** If the focus is within the card, it returns to the address. */
  function close() {
    if (content.current?.contains(document.activeElement)) document.getElementById(trigger)?.focus();
    onClose();
  }

  return (
    <Popover.Root
      open
      ids={{ trigger }}
      autoFocus={false}
      onOpenChange={({ open }) => !open && close()}
      positioning={{ placement: 'bottom-start', gutter: 4, strategy: 'fixed' }}
    >
      <LandmarkPortal of={document.getElementById(trigger)}>
        <Popover.Positioner>
          <Popover.Content
            ref={content}
            aria-label={`About ${email}`}
            {...POPOVER_PANEL}
            width="min(340px, 100vw - 16px)"
            maxHeight="min(var(--available-height), 60vh)"
            onPointerEnter={onEnter}
            onPointerLeave={event => event.pointerType === 'mouse' && onLeave()}
          >
            <Text fontWeight="semibold" overflowWrap="anywhere">
              <bdi>{email}</bdi>
            </Text>
            <Member member={member} />
          </Popover.Content>
        </Popover.Positioner>
      </LandmarkPortal>
    </Popover.Root>
  );
}

function Member({ member }: { member: string }) {
  const { data, error } = useOrganizationData(
    'GET /api/list-members/{listMember}',
    { params: { listMember: member }, isRefusalExpected: true },
    { revalidateOnFocus: false },
  );
  if (error) return <Text role="alert">{messageOf(error)}</Text>;
  if (!data) return <Text color="fg.muted">Loading...</Text>;
  const metadata = entriesIn(data.metadata);
  return (
    <>
      <Status tone={data.is_subscribed ? 'usual' : 'off'}>
        {data.is_subscribed ? 'Subscribed' : 'Unsubscribed'}
      </Status>
      {metadata.length > 0 && (
        <Box my="2">
          <Facts aria-label="Metadata">
            {metadata.map(({ key, value }) => (
              <Fact key={key} name={key}>
                {formatValue(value)}
              </Fact>
            ))}
          </Facts>
        </Box>
      )}
      <Box mt="1">
        <TextLink to={paths.listMember(member)}>View member</TextLink>
      </Box>
    </>
  );
}

const messageOf = (error: unknown) =>
  error instanceof Problem && error.status === 403
    ? "You don't have access to view this member's details"
    : serverMessageOr(error, 'Failed to load member data');
