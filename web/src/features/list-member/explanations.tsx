import { Box, Text } from '@chakra-ui/react';
import { ButtonLink } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Modal } from '#web/components/modal.tsx';
import { Select } from '#web/components/select.tsx';
import { useParameter } from '#web/components/use-dialog.ts';
import MemberExplanation from '#web/entities/list-member/member-explanation.tsx';
import { hasBegun, isBroadcast, useAutomationChoice } from '#web/lib/automation-choice.ts';
import { IN_UTC } from '#web/lib/format.ts';
import { NO_AUTOMATION, paths } from '#web/lib/paths.ts';

type Props = { member: string; asked: string; onClose: () => void };

/** What became of the emails of an automation, which is chosen here. */
export default function Explanations({ member, asked, onClose }: Props) {
  const {
    data: automations,
    error,
    mutate,
  } = useAutomationChoice('GET /api/automations-for-templates', hasBegun);
  const [, choose] = useParameter('automation');
  const others = automations?.filter(one => !isBroadcast(one));
  const only = others?.length === 1 ? others[0]?.id : undefined;
  const chosen = asked === NO_AUTOMATION ? only : asked;
  return (
    <Modal title="Why was it sent, or not?" placement="side" width="720px" onClose={onClose}>
      <Text mb="4" color="fg.muted" fontSize="sm">
        What an automation sent to them, what it did not send and why, and what comes next. {IN_UTC}
      </Text>
      {automations && automations.length > 0 ? (
        <Select
          aria-label="Automation"
          value={chosen ?? ''}
          onChange={({ target }) => choose(target.value || NO_AUTOMATION)}
          options={[
            { value: '', label: 'Choose an automation' },
            ...automations.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      ) : automations ? (
        <EmptyState
          title="No automations yet"
          cause="An automation sends emails to the members of its lists, on a schedule."
          action={
            <ButtonLink right="automations:edit" to={paths.newAutomation()}>
              Create automation
            </ButtonLink>
          }
        />
      ) : error ? (
        <Failure problem={error} message="The automations could not be loaded." onRetry={mutate} />
      ) : (
        <Loading shape={['button']} />
      )}
      {chosen && (
        <Box mt="5">
          <MemberExplanation key={chosen} member={member} automation={chosen} />
        </Box>
      )}
    </Modal>
  );
}
